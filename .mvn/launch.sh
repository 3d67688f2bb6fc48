# shellcheck shell=sh disable=SC2154
# Shared by mvnw and halfcell: finding a JDK, and letting one start at a time do a piece of work.
# POSIX sh, to be sourced. The caller sets `program`, the name that stands before its messages.

java_version=25

fail() {
  printf '%s: %s\n' "$program" "$1" >&2
  exit 1
}

# The physical file behind $1, through any chain of symbolic links.
real_file() (
  file=$1
  while [ -h "$file" ]; do
    target=$(readlink "$file")
    case $target in
      /*) file=$target ;;
      *) file=$(dirname "$file")/$target ;;
    esac
  done
  cd "$(dirname "$file")" && printf '%s/%s\n' "$(pwd -P)" "$(basename "$file")"
)

# Whether $1 is the home of a JDK of the wanted version, by its `release` file; a JRE has no javac.
is_wanted_jdk() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      "JAVA_VERSION=\"$java_version\"" | "JAVA_VERSION=\"$java_version".*) return 0 ;;
    esac
  done <"$1/release"
  return 1
}

# Sets `jdk`: JAVA_HOME, then the java on PATH, then the usual install folders.
find_jdk() {
  on_path=$(command -v java || :)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(real_file "$on_path")")")
  for jdk in ${JAVA_HOME:+"$JAVA_HOME"} ${on_path:+"$on_path"} \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/openjdk* /opt/* /opt/java/* /opt/jdk/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    ${HOME:+"$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.jenv/versions/* \
      "$HOME"/.asdf/installs/java/* "$HOME"/.local/share/mise/installs/java/* \
      "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home}; do
    if is_wanted_jdk "$jdk"; then return 0; fi
  done
  fail "needs JDK $java_version and found none (looked at JAVA_HOME, java on PATH and the usual install folders): install one or set JAVA_HOME to it."
}

# Waits until this process holds the folder $1 as a lock, and takes it over from an owner that has died.
# It saves doing the same work twice; the work itself must bear being done twice.
lock() {
  held_lock=
  nameless=0
  while ! mkdir "$1" 2>/dev/null; do
    [ -w "$(dirname "$1")" ] || fail "cannot write in $(dirname "$1")."
    owner=$(cat "$1/owner" 2>/dev/null || :)
    [ -n "$owner" ] || nameless=$((nameless + 1))
    if [ "$nameless" -gt 10 ] || { [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; }; then
      rm -rf "$1"
    else
      sleep 1
    fi
  done
  held_lock=$1
  echo $$ >"$1/owner"
  trap unlock EXIT
  trap 'unlock; exit 130' INT
  trap 'unlock; exit 143' TERM HUP
}

unlock() {
  [ -z "$held_lock" ] || rm -rf "$held_lock"
  held_lock=
  trap - EXIT INT TERM HUP
}
