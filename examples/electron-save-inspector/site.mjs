// The built page as answers to requests: for `npm run inspector`, and for the window's own protocol.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Reads the few files of `folder` once; nothing else can be asked for. Returns `answer(path)`: `{ status, headers, body }`. */
export function siteOf(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length).split(sep).join("/"), { body: readFileSync(path), type: TYPES[extname(path)] });
  }
  const page = files.get("/index.html");
  files.set("/", page);
  const policy = `${/content="(default-src[^"]+)"/.exec(page.body.toString())[1]}; frame-ancestors 'none'`;
  return (path) => {
    const file = files.get(path);
    if (!file) return { status: 404, headers: {}, body: undefined };
    return {
      status: 200,
      headers: {
        "content-type": `${file.type}; charset=utf-8`,
        // Of the worker too: it does not inherit the page's.
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      },
      body: file.body,
    };
  };
}
