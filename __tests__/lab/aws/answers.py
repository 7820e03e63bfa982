"""Parses the emulated account's answers (a JSON list on stdin) with botocore's own parsers, and checks each against botocore's description: prints a line for each difference."""
import json, re, sys
from xml.etree import ElementTree
import botocore.session
from botocore.model import ServiceModel
from botocore.parsers import create_parser
from botocore.validate import ParamValidator

loader = botocore.session.Session().get_component("data_loader")
models = {}


def model(service):
    if service not in models:
        models[service] = ServiceModel(loader.load_service_model(service, "service-2"), service)
    return models[service]


def tag(node):
    return node.tag.split("}")[-1]


def undescribed(node, shape, path):
    """Elements and values that are not in the description: a parser ignores them."""
    if shape.type_name == "structure":
        names = {}
        for key, member in shape.members.items():
            flat = member.type_name == "list" and member.serialization.get("flattened")
            inner = member.member.serialization.get("name") if flat else None
            names[inner or member.serialization.get("name", key)] = member.member if flat else member
        for child in node:
            if tag(child) not in names:
                yield f"{path} has no {tag(child)}"
            else:
                yield from undescribed(child, names[tag(child)], f"{path}.{tag(child)}")
    elif shape.type_name == "list":
        wanted = shape.member.serialization.get("name", "member")
        for child in node:
            if tag(child) != wanted:
                yield f"{path} is a list of {wanted}, not of {tag(child)}"
            yield from undescribed(child, shape.member, f"{path}.{wanted}")
    elif shape.type_name == "string" and shape.enum and (node.text or "") not in shape.enum:
        yield f"{path} is {node.text!r}, none of {', '.join(shape.enum)}"


def faults(service, operation, status, headers, body):
    described = model(service)
    known = described.operation_model(operation)
    shape = known.output_shape
    parsed = create_parser(described.resolved_protocol).parse(dict(status_code=status, headers=headers, body=body.encode(), context={}), shape)
    if status >= 300:
        error = parsed.get("Error", {})
        if not re.fullmatch(r"[\w.]+", error.get("Code") or "") or not error.get("Message"):
            yield f"an error without a code or a message: {body}"
        return
    parsed.pop("ResponseMetadata", None)
    json_body = json.loads(body) if described.metadata["protocol"] == "json" else None
    if shape is None:
        return
    yield from ParamValidator().validate(parsed if json_body is None else json_body, shape).generate_report().splitlines()
    if json_body is not None:
        return
    root = ElementTree.fromstring(body)
    wrapper = shape.serialization.get("resultWrapper")
    if wrapper:
        root = root.find(f"{{*}}{wrapper}")
        if root is None:
            yield f"no {wrapper}"
            return
    else:
        for own in [child for child in root if tag(child) == "requestId"]:
            root.remove(own)
    yield from undescribed(root, shape, operation)


for one in json.load(sys.stdin):
    try:
        found = sorted(set(faults(**one)))
    except Exception as error:
        found = [f"{type(error).__name__}: {error}"]
    for line in found:
        print(f"{one['service']}:{one['operation']} {one['status']}: {line}")
