// Loaded with `--import` by the process that candidates share: what a module imports by a path is loaded with the query that the module itself was
// loaded with. So `import("candidates.mjs?name")` gives each candidate copies of all modules of its own, and nobody meets what the engine has learned of
// functions while somebody else called them.
import { register } from "node:module";

const hooks = `export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const query = context.parentURL === undefined ? "" : new URL(context.parentURL).search;
  return specifier.startsWith(".") ? { ...resolved, url: resolved.url + query } : resolved;
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
