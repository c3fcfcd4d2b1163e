import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { servePortal, type ServePortalOptions } from '../../src/serving/serve-portal.ts';

/** A portal of a test. */
export interface TestPortal {
  readonly url: string;
  /** Where it listens. */
  readonly address: string;
  /** The sentences of its log. */
  readonly lines: readonly string[];
  readonly drain: (timeoutMs: number) => Promise<void>;
}

const PAGE =
  '<!doctype html><base href="__BASE__"><meta property="csp-nonce" nonce="__NONCE__"><script nonce="__NONCE__"></script>';

/** Writes a built web application with one page and one file. */
export const webRoot = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'portal-web-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), PAGE);
  writeFileSync(join(directory, 'assets/main-1.js'), 'plain');
  writeFileSync(join(directory, 'assets/main-1.js.br'), 'brotli');
  writeFileSync(join(directory, 'assets/main-1.js.gz'), 'gzip');
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
};

/** Starts a portal without sign-in on a free port unless the options say otherwise. The end of the test stops it. */
export const startPortal = async (
  options: Partial<ServePortalOptions> = {},
): Promise<TestPortal> => {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const served = await servePortal({
    host: '127.0.0.1',
    port: 0,
    gateway: 'http://127.0.0.1:9/mcp',
    scopes: 'openid email offline_access',
    token: 'access_token',
    key: undefined,
    environment: {},
    log: { warn: add, info: add },
    webRoot: webRoot(),
    ...options,
  });
  if (!served.ok) throw new Error(served.problem);
  const { portal } = served;
  let drained: Promise<void> | undefined;
  const drain: TestPortal['drain'] = (timeoutMs) => (drained ??= portal.drain(timeoutMs));
  onTestFinished(() => drain(0));
  return { ...portal, lines, drain };
};

/** The facts that the portal tells the web application. */
export interface SessionAnswer {
  readonly signInRequired: boolean;
  readonly user?: { readonly id: string; readonly name: string };
  readonly token?: string;
}

/** Returns the token of requests of a portal without sign-in. */
export const openToken = async ({ url }: Pick<TestPortal, 'url'>): Promise<string> => {
  const { token } = (await (await fetch(new URL('session', url))).json()) as SessionAnswer;
  if (token === undefined) throw new Error('the portal gave no token');
  return token;
};
