#include "core/informers/informed_resource.hpp"

namespace watchlab::informers {

InformedResource config_maps() {
  return {.resource = {"", "v1", "configmaps"}, .api_version = "v1", .kind = "ConfigMap"};
}

InformedResource pods() {
  return {.resource = {"", "v1", "pods"}, .api_version = "v1", .kind = "Pod"};
}

InformedResource events() {
  return {.resource = {"", "v1", "events"}, .api_version = "v1", .kind = "Event"};
}

InformedResource deployments() {
  return {
      .resource = {"apps", "v1", "deployments"}, .api_version = "apps/v1", .kind = "Deployment"};
}

}  // namespace watchlab::informers
