// The reference: `npm run docs:api` writes it to build/api. A public symbol without a comment, or a link that leads nowhere, is an error.
import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

export default {
  name: "Tusk",
  entryPoints: Object.keys(exports)
    .filter((entry) => typeof exports[entry] === "object")
    .map((entry) => `src/${entry.slice(2)}/index.ts`.replace("//", "/")),
  out: "build/api",
  readme: "docs/guide.md",
  excludeInternal: true,
  excludePrivate: true,
  treatWarningsAsErrors: true,
  // Links into sources need a remote that a clone may not have, and would then be a warning.
  disableSources: true,
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  intentionallyNotExported: ["Constructed", "DetectionOf", "Listener", "Made", "VersionKey"],
  // Parts of the platform's own interfaces.
  intentionallyNotDocumented: [
    ...["postMessage", "addEventListener", "removeEventListener", "start", "close", "terminate"].map((name) => `worker.WebPort.${name}`),
    ...["postMessage", "on", "off", "ref", "unref", "close", "terminate"].map((name) => `worker.NodePort.${name}`),
    ...["write", "end", "destroy", "on", "removeListener"].map((name) => `index.WritableLike.${name}`),
  ],
  requiredToBeDocumented: ["Class", "Interface", "Function", "Variable", "TypeAlias", "Method", "Accessor"],
};
