import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { authentication } from '../examples/authentication.ts';
import { server } from '../examples/documents.ts';
import { doubtful, names, reading, resolved } from '../examples/placeholders.ts';
import { key, name, problems, removed } from '../examples/references.ts';
import { broken, fields, places } from '../examples/rules.ts';
import { auth, definition, manifests, reference, schema } from '../examples/schemas.ts';
import { fits, record, status, stopName, stops } from '../examples/status.ts';
import { author, inputSchema } from '../examples/structured-workflow.ts';
import * as surface from '../src/index.ts';
import { remote, stdio } from './documents.ts';

const FOLDER = new URL('../examples/', import.meta.url);

it('shows every function in an example', () => {
  const code = readdirSync(FOLDER).map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
  const imported = code.flatMap((text) =>
    (/import \{([^}]*)\} from '@gateway\/crd-schemas'/.exec(text)?.[1] ?? '')
      .split(',')
      .map((name) => name.trim()),
  );
  const functions = Object.entries(surface).filter(([, value]) => typeof value === 'function');
  const missing = functions.map(([name]) => name).filter((name) => !imported.includes(name));
  expect(missing).toEqual([]);
});

describe('the examples', () => {
  it('of references name the header that goes to no other origin', () => {
    expect(removed).toBe(
      'Removed, because they were for https://mail.example and not for https://other.example: headers.X-Key. Set them again if the new server may have them.',
    );
  });

  it('of references give the problem of a header', () => {
    expect(key).toEqual({ kind: 'Secret', name: 'api', key: 'token', optional: false });
    expect(name).toBe('Secret/api/token');
    expect(problems).toEqual({
      header:
        'must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
      variable: undefined,
    });
  });
  it('of schemas give schemas', () => {
    expect(schema).toMatchObject({ title: 'MCPServer' });
    expect(auth).toMatchObject({ type: 'object', properties: { type: { default: 'none' } } });
    expect(definition).toMatchObject({ metadata: { name: 'workflows.gateway.internal' } });
    expect(manifests.split('---\n').map((text): unknown => parse(text))).toMatchObject([
      { metadata: { name: 'mcpservers.gateway.internal' } },
      definition,
    ]);
    expect(reference).toContain('- `cwd` (string): Working directory');
  });

  it('of rules evaluate them', () => {
    expect(broken).toEqual(['spec.command: command is required when type is stdio']);
    expect(fields).toEqual(['spec.command']);
    expect([...new Set(places)]).toContain('spec/steps/*/parallel/*/condition');
  });

  it('of documents are documents', () => {
    expect(surface.parseMcpServer(server)).toMatchObject({
      ok: true,
      value: { spec: { type: 'stdio', cwd: 'servers', timeout: 60 } },
    });
  });

  it('of authentication tell which way wins', () => {
    const tokenExchange = {
      enabled: true,
      dexTokenEndpoint: 'https://dex.example.com/token',
      connectorId: 'local',
    };
    expect(authentication(remote({ auth: { forwardToken: true, tokenExchange } }))).toBe(
      'with a token of https://dex.example.com',
    );
    expect(authentication(remote({ auth: { forwardToken: true } }))).toBe('forwardToken');
    expect(authentication(stdio())).toBe('not at all');
  });

  it('of structured workflows author one', () => {
    expect(Object.keys(inputSchema.properties)).toContain('steps');
    expect(
      author({ name: 'w', steps: [{ id: 'a', tool: 't', allow_failure: true }] }),
    ).toMatchObject({
      document: { spec: { steps: [{ id: 'a', tool: 't', allowFailure: true }] } },
      needs: ['t'],
      names: ['t'],
    });
    expect(author({ name: 'w', steps: [] })).toEqual(['workflow must have at least one step']);
  });

  it('of statuses keep times', () => {
    expect(status.conditions).toMatchObject([{ lastTransitionTime: '1970-01-01T00:00:00.000Z' }]);
    expect(fits).toBe(true);
    expect(record.ok).toBe(false);
  });
});

it('replaces the placeholders of a server, and stops it', () => {
  const parsed = surface.parseMcpServer(stdio({ env: { A: 'x ${env:B}' } }));
  if (!parsed.ok) throw new Error('the server is not valid');
  expect(resolved(parsed.value, new Map([['B', 'y']]))).toEqual(['spec.env.A: x y']);
  expect(doubtful(parsed.value)).toEqual([]);
  expect([stopName, stops(parsed.value)]).toEqual(['gateway.internal/stopped', true]);
  expect(names('${file:a} ${B}')).toEqual(['file a']);
  expect(reading({ args: ['${env:A}'] })).toBe('args');
});
