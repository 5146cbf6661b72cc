# Runs the script in ASSAY_SUPERVISE with its arguments, in a session of its own, so that a signal to Assay's terminal or
# process group does not reach it, and as the one to whom the kernel gives the orphans among its descendants
# (prctl PR_SET_CHILD_SUBREAPER, which survives exec). That takes Perl or Python; without them it goes on without.
set -- sh -c 'eval "$ASSAY_SUPERVISE"' assay-supervisor "$@"
case $(uname -sm) in
'Linux x86_64') prctl=157 ;;
'Linux aarch64') prctl=167 ;;
*) prctl= ;;
esac
if [ -n "$prctl" ] && perl -e 'use POSIX ()' >/dev/null 2>&1; then
  exec perl -e 'use POSIX (); POSIX::setsid(); syscall(shift(@ARGV) + 0, 36, 1, 0, 0, 0); exec { $ARGV[0] } @ARGV' \
    "$prctl" "$@"
fi
if [ -n "$prctl" ] && python3 -c 'import ctypes' >/dev/null 2>&1; then
  exec python3 -c '
import ctypes, os, sys
try:
    os.setsid()
except OSError:
    pass
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
fi
if command -v setsid >/dev/null 2>&1; then
  exec setsid "$@"
fi
exec "$@"
