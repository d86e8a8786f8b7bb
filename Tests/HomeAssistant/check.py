"""Holds discovery messages against Home Assistant's own code: its MQTT component's schemas, and its templates.

Reads one JSON object: "prefix" of the discovery topics, "discovery" and "messages" as lists of {"topic", "payload"}
(payload as text). Each discovery message is taken through the component's rules, and each template that it carries is
rendered over every message on its topic. Prints one line for each thing that is wrong.
"""
import asyncio
import json
import sys

import voluptuous
from homeassistant.components.mqtt import binary_sensor, device_automation, device_trigger, discovery, sensor
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template

SCHEMAS = {
    "sensor": sensor.DISCOVERY_SCHEMA,
    "binary_sensor": binary_sensor.DISCOVERY_SCHEMA,
    "device_automation": device_trigger.TRIGGER_DISCOVERY_SCHEMA,
}

# Keys that later releases know and this one drops: an enum sensor without options takes every word.
LATER = {"options"}


def check_names(given, taken, path):
    """A name that is not known there is dropped without a word."""
    if isinstance(given, dict):
        known = {str(key): value for key, value in taken.items()}
        for key, value in given.items():
            if key not in known and key in LATER:
                continue
            if key not in known:
                yield f"{path}{key} is unknown"
            else:
                yield from check_names(value, known[key], f"{path}{key}.")
    elif isinstance(given, list):
        for one, other in zip(given, taken):
            yield from check_names(one, other, path)


def rendered(hass, template, messages, topic):
    for message in messages:
        if message["topic"] == topic:
            yield Template(template, hass).async_render_with_possible_json_value(message["payload"], "?").strip()


def check_values(hass, component, payload, messages):
    """What the templates make of real messages is what the entity can take."""
    states = list(rendered(hass, payload["value_template"], messages, payload.get("state_topic", payload.get("topic"))))
    if not states:
        yield "no message on its topic"
    if component == "device_automation":
        if payload["payload"] not in states:
            yield f"never fires: {sorted(set(states))}"
        return
    for state in states:
        if "options" in payload and state not in payload["options"]:
            yield f"state {state!r} is not among the options"
        if component == "binary_sensor" and state not in ("ON", "OFF"):
            yield f"state {state!r} is neither ON nor OFF"
        if state in ("?", "", "None"):
            yield f"state {state!r} says nothing"
    for one in payload["availability"]:
        words = set(rendered(hass, one["value_template"], messages, one["topic"]))
        if words != {"online", "offline"}:
            yield f"availability becomes {sorted(words)}"


def problems(hass, prefix, message, messages):
    topic = message["topic"]
    match = discovery.TOPIC_MATCHER.match(topic.removeprefix(prefix + "/"))
    if not topic.startswith(prefix + "/") or not match:
        yield "no discovery topic"
        return
    component = match.group("component")
    if component not in discovery.SUPPORTED_COMPONENTS or component not in SCHEMAS:
        yield f"no component {component}"
        return
    payload = json.loads(message["payload"])
    try:
        discovery.MQTT_ORIGIN_INFO_SCHEMA(payload["origin"])
        if component == "device_automation":
            device_automation.DISCOVERY_SCHEMA(payload)
        taken = SCHEMAS[component]({key: value for key, value in payload.items() if key != "origin"})
    except voluptuous.Invalid as error:
        yield str(error)
        return
    yield from check_names({key: value for key, value in payload.items() if key != "origin"}, taken, "")
    yield from check_values(hass, component, payload, messages)


async def main():
    given = json.load(sys.stdin)
    hass = HomeAssistant(sys.argv[1])
    identities = set()
    count = 0
    for message in given["discovery"]:
        found = list(problems(hass, given["prefix"], message, given["messages"]))
        payload = json.loads(message["payload"])
        # As the component tells triggers and entities apart.
        platform = message["topic"].split("/")[-3]
        identity = (platform, payload.get("unique_id"), payload.get("type"), payload.get("subtype"))
        if identity in identities:
            found.append("there is another one with this identity")
        identities.add(identity)
        for problem in found:
            print(f"{message['topic']}: {problem}")
            count += 1
    await hass.async_stop(force=True)
    print(f"{len(given['discovery'])} discovery messages, {count} problems")
    return count > 0


sys.exit(asyncio.run(main()))
