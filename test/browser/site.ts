// A small site: each path has its body, type and policy.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";

export interface Resource {
  readonly type: "text/html" | "text/javascript" | "text/css" | "application/json" | "application/octet-stream";
  readonly body: string | Uint8Array;
  readonly policy?: string | undefined;
}

/** Serves `resources` on localhost while the tests of a file run; `origin()` inside of tests. `posted`: is told what pages send by POST. */
export function useSite(resources: Map<string, Resource>, posted?: (body: string) => void): () => string {
  const server = createServer((request, response) => {
    if (request.method === "POST" && posted) {
      response.writeHead(204).end();
      void text(request).then(posted);
      return;
    }
    const found = resources.get(new URL(request.url ?? "/", "http://localhost").pathname);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": `${found.type}; charset=utf-8`,
      ...(found.policy !== undefined && { "content-security-policy": found.policy }),
    });
    response.end(found.body);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve())));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()));
  return () => `http://localhost:${(server.address() as AddressInfo).port}`;
}
