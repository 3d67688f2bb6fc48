import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { JsonObject } from '../../src/api/types.ts';
import { resources } from './folders.ts';
import { answer, problem, type Call } from './routes.ts';
import { FakeService } from './service.ts';

export const policy = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const files = ['/index.html', '/assets/dashboard.js', '/assets/dashboard.css', '/assets/dashboard.svg'];

export interface MockServer {
  address: string;
  service: FakeService;
  close(): void;
}

/** Serves the built files under the service's own policy, and a service of fakes; with a token where one is given. */
export async function startServer(jobs: number, port = 0, token?: string): Promise<MockServer> {
  const service = new FakeService(jobs);
  const server = createServer((request, response) => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const url = new URL(request.url ?? '/', 'http://mock');
    const path = url.pathname === '/' ? '/index.html' : url.pathname;
    if (files.includes(path)) {
      response.writeHead(200, { 'Content-Type': types[extname(path)] }).end(readFileSync(join(resources, 'dashboard', path)));
      return;
    }
    void bodyOf(request).then((body) => {
      const call: Call = { service, request, response, url, body };
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
        problem(call, 401, 'unauthorized', 'Send Authorization: Bearer and a token.');
      } else {
        answer(call);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    service,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const pieces = [];
  for await (const piece of request) {
    pieces.push(piece as Buffer);
  }
  const text = Buffer.concat(pieces).toString();
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}
