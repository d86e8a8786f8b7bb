#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>

// A will's property list is taken over on success only and freed by us otherwise; the rest of the API needs no shim.
static inline void bridge_mosquitto_free_properties(mosquitto_property *list) { mosquitto_property_free_all(&list); }
