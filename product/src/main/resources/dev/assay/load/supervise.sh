# Runs a server command in a session of its own and ends all of it when told to, or when Assay is gone.
# $1 is the command, $2 a mark that every descendant inherits in its environment; standard input is a pipe from Assay:
# a line on it is the grace in tenths of a second, its end means that Assay died.
# Three nets hold what the server starts: its sessions, its place below this process (children that were left by their
# parents come here, see become.sh), and the mark.
unset ASSAY_BECOME ASSAY_SUPERVISE
trap : HUP INT TERM
stopping=
trap 'stopping=1' USR1
exec 3<&0 </dev/null
if command -v setsid >/dev/null 2>&1; then
  ASSAY_SERVER=$2 setsid sh -c "$1" 3<&- &
  alone=1
else
  set -m
  ASSAY_SERVER=$2 sh -c "$1" </dev/null 3<&- &
  alone=
fi
server=$!
# From here on a child's end ends a wait, so that the end of the watcher is noticed.
trap : CHLD

# All processes as lines of: pid, state, parent, session. A name in brackets may itself hold blanks and brackets.
processes() {
  cat /proc/[0-9]*/stat 2>/dev/null |
    sed -n 's/^\([0-9]*\) (.*) \([A-Za-z]\) \([0-9]*\) [0-9]* \([0-9]*\) .*/\1 \2 \3 \4/p'
}

# Every living process of the server. A zombie that its parent has not collected does not count as left.
members() {
  table=$(processes)
  own=$(printf '%s\n' "$table" | sed -n "s/^$$ . [0-9]* //p")
  found=' '
  living=
  sessions=" $server "
  again=1
  while [ -n "$again" ]; do
    again=
    while read -r pid state parent session; do
      [ "$session" = "$own" ] && continue
      case $found in *" $pid "*) continue ;; esac
      case "$sessions#$found $$ " in
      *" $session "*"#"* | *"#"*" $parent "*)
        found="$found$pid "
        sessions="$sessions$session "
        again=1
        case $state in Z | X) ;; *) living="$living $pid" ;; esac
        ;;
      esac
    done <<EOF
$table
EOF
  done
  for file in $(grep -sl "ASSAY_SERVER=$1" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file#/proc/}
    living="$living ${pid%/environ}"
  done
  echo "$living"
}

signal_all() {
  if [ -n "$alone" ] && [ -r /proc/self/stat ]; then
    for one in $(members "$2"); do
      kill "-$1" "$one" 2>/dev/null
    done
  fi
  kill "-$1" "-$server" 2>/dev/null
}

any_left() {
  if [ -n "$alone" ] && [ -r /proc/self/stat ]; then
    [ -n "$(members "$1")" ]
  else
    kill -0 "-$server" 2>/dev/null
  fi
}

# A server that starts processes faster than they are found is killed again and again.
end_all() {
  signal_all TERM "$1"
  left=$2
  while [ "$left" -gt 0 ] && any_left "$1"; do
    sleep 0.1
    left=$((left - 1))
  done
  left=50
  while [ "$left" -gt 0 ] && any_left "$1"; do
    signal_all KILL "$1"
    sleep 0.05
    left=$((left - 1))
  done
}

(
  trap '' HUP INT TERM
  grace=50
  read -r line <&3 && grace=$line
  kill -USR1 $$ 2>/dev/null
  end_all "$2" "$grace"
) &
watcher=$!
exec 3<&-

# A signal ends a wait early; then the server still runs. What a shell says of a job that was killed is not the server's.
while :; do
  wait "$server" 2>/dev/null
  status=$?
  kill -0 "$server" 2>/dev/null || break
  if [ -z "$stopping" ] && ! kill -0 "$watcher" 2>/dev/null; then
    # Without the watcher nobody would see Assay go.
    echo 'assay: the watcher of this server was ended from outside; the server is ended too'
    end_all "$2" 50
  fi
done
# Where a signal ended the wait, the status is still to be had.
wait "$server" 2>/dev/null
again=$?
[ "$again" -eq 127 ] || status=$again
# The command is over: what it left behind goes too.
if [ -n "$stopping" ]; then
  while kill -0 "$watcher" 2>/dev/null; do
    wait "$watcher" 2>/dev/null
  done
else
  kill -KILL "$watcher" 2>/dev/null
  any_left "$2" && end_all "$2" 20
fi
exit "$status"
