#pragma once

#include <string>

/// Parts of programs in shell that speak the protocol of docs/go.md.
namespace watchlab::tests {

/// It takes the hello apart, and can `say` a frame and receive an `order`.
inline const std::string beginning = R"sh(
say() {
  printf "\\000\\000\\$(printf %o $((${#1} / 256)))\\$(printf %o $((${#1} % 256)))" >&3
  printf %s "$1" >&3
}
order() {
  set -- $(dd bs=1 count=4 <&3 2>/dev/null | od -An -tu1)
  [ $# = 4 ] || exit 1
  said=$(dd bs=1 count=$(($3 * 256 + $4)) <&3 2>/dev/null)
  until=${said##*\"until\":}
  until=${until%%[,\}]*}
}
read hello <&3
life=${hello##*\"life\":}
life=${life%%,*}
)sh";

/// It lives until it is asked to stop, and does nothing.
inline const std::string until_stopped = R"sh(while order; do
  case $said in
    *stop*) say "{\"now\":$until,\"done\":true}"; exit 0 ;;
  esac
  say "{\"now\":$until}"
done
)sh";

}  // namespace watchlab::tests
