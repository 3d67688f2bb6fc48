# shellcheck shell=sh disable=SC2154
# Shared by compare, growth and ops: building with Maven. POSIX sh, to be sourced; the caller sets `program`.

benchmarks=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$benchmarks")
. "$root/.mvn/launch.sh"
find_jdk

# Builds the project in the folder $1 with Maven's arguments $2..., and puts down its class path.
build() {
  folder=$1
  shift
  mkdir -p "$folder/target"
  JAVA_HOME=$jdk "$root/mvnw" -B -ntp -Dmaven.test.skip=true "$@" package dependency:build-classpath \
    -Dmdep.includeScope=runtime -Dmdep.outputFile=target/classpath >"$folder/target/build.log" 2>&1 || {
    grep -E '^\[(ERROR|WARNING)\]|^mvnw: ' "$folder/target/build.log" | head -n 40 >&2 || :
    fail "the build failed; all of its output is in $folder/target/build.log"
  }
}

# This module and what it needs of HalfCell.
build_benchmarks() {
  build "$benchmarks" -f "$root/pom.xml" -pl benchmarks -am
}

# What lies in the folder $1, and what it needs.
class_path() {
  printf '%s:%s' "$1/target/classes" "$(cat "$1/target/classpath")"
}
