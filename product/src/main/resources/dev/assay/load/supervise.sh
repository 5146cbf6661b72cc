# Runs a server command in a session of its own and ends all of it when told to, or when Assay is gone.
# $1 is the command, $2 a mark that every descendant inherits in its environment; standard input is a pipe from Assay:
# a line on it is the grace in tenths of a second, its end means that Assay died.
trap : HUP INT TERM
stopping=
trap 'stopping=1' USR1
exec 3<&0
if command -v setsid >/dev/null 2>&1; then
  ASSAY_SERVER=$2 setsid sh -c "$1" </dev/null 3<&- &
else
  set -m
  ASSAY_SERVER=$2 sh -c "$1" </dev/null 3<&- &
fi
server=$!

# Those that left the session are found by the mark, where /proc shows environments.
signal_all() {
  kill "-$1" "-$server" 2>/dev/null
  for file in $(grep -sl "ASSAY_SERVER=$2" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file#/proc/}
    kill "-$1" "${pid%/environ}" 2>/dev/null
  done
}

# Where /proc shows states, a zombie that its new parent has not collected yet does not count as left.
any_left() {
  if [ -r /proc/self/stat ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' | grep -q "^[^ZX] [0-9]* $server " ||
      [ -n "$(grep -sl "ASSAY_SERVER=$1" /proc/[0-9]*/environ 2>/dev/null)" ]
  else
    kill -0 "-$server" 2>/dev/null
  fi
}

end_all() {
  signal_all TERM "$1"
  left=$2
  while [ "$left" -gt 0 ] && any_left "$1"; do
    sleep 0.1
    left=$((left - 1))
  done
  any_left "$1" && signal_all KILL "$1"
}

(
  grace=50
  read -r line <&3 && grace=$line
  kill -USR1 $$
  end_all "$2" "$grace"
) &
watcher=$!

# A signal ends a wait early; then the server still runs.
while :; do
  wait "$server"
  status=$?
  kill -0 "$server" 2>/dev/null || break
done
# The command is over: what it left behind goes too.
if [ -n "$stopping" ]; then
  wait "$watcher"
else
  kill -KILL "$watcher" 2>/dev/null
  any_left "$2" && end_all "$2" 20
fi
exit "$status"
