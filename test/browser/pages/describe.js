// A value as text that differs wherever two values differ: types, order of members, sharing, signs of zero.
import { isScalar, StructInstance } from "tusk-codec";

export function describe(root) {
  const seen = new Map();
  const text = (value) => {
    switch (typeof value) {
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "bigint":
        return `${value}n`;
      case "string":
        return JSON.stringify(value);
      case "object":
        break;
      default:
        return String(value);
    }
    if (value === null) return "null";
    if (isScalar(value)) return `${value.datatype} ${text(value.value)}`;
    if (seen.has(value)) return `#${seen.get(value)}`;
    seen.set(value, seen.size);
    if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${Array.from(value, text)})`;
    if (Array.isArray(value)) return `[${value.map(text)}]`;
    const kind =
      value instanceof StructInstance
        ? `${StructInstance.nameOf(value)} ${StructInstance.versionOf(value)} ${StructInstance.verboseOf(value)}`
        : (Object.getPrototypeOf(value)?.constructor?.name ?? "none");
    return `${kind}{${Object.keys(value).map((name) => `${JSON.stringify(name)}:${text(value[name])}`)}}`;
  };
  return text(root);
}
