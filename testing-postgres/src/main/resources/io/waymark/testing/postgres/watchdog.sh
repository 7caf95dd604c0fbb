# Ends the servers of one cluster and removes its folder once the JVM that owns it has gone.
# The JVM holds the other end of standard input; however it dies, that ends.
# $1: the cluster's folder. Every server process has its working directory inside it.
trap '' HUP INT TERM QUIT
root=$1

servers() {
  if [ -d /proc/self ]; then
    for process in /proc/[0-9]*; do
      case "$(readlink "$process/cwd" 2>/dev/null)" in
        "$root"/*) echo "${process#/proc/}" ;;
      esac
    done
  else
    for file in "$root"/*/data/postmaster.pid; do
      pid=$(head -n 1 "$file" 2>/dev/null) || continue
      case "$(ps -o args= -p "$pid" 2>/dev/null)" in
        *"$root"/*) echo "$pid" ;;
      esac
    done
  fi
}

memory() {
  # Line 7 of the file is the key and the id of a shared memory segment that outlives a killed server.
  for file in "$root"/*/data/postmaster.pid; do
    id=$(sed -n '7s/^ *[0-9][0-9]* *\([0-9][0-9]*\) *$/\1/p' "$file" 2>/dev/null)
    [ -n "$id" ] && echo "$id"
  done
}

main() {
  cat >/dev/null
  [ -d "$root" ] || exit 0
  segments=$(memory)
  # The JVM may have died right after it started a server, so look until none is left twice in a row.
  quiet=0
  round=0
  while [ $quiet -lt 2 ] && [ $round -lt 100 ]; do
    pids=$(servers)
    if [ -z "$pids" ]; then
      quiet=$((quiet + 1))
    else
      quiet=0
      signal=QUIT
      [ $round -lt 20 ] || signal=KILL
      kill -s "$signal" $pids 2>/dev/null
      kill -s CONT $pids 2>/dev/null
    fi
    sleep 0.1
    round=$((round + 1))
  done
  for id in $segments; do
    ipcrm -m "$id" 2>/dev/null
  done
  rm -rf "$root"
  rm -f "$root.lock"
  exit 0
}

main
