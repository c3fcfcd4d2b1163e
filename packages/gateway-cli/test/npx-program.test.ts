import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveGatewayProgram } from '../src/actions/export-config.ts';

let root = '';
const [, script = ''] = process.argv;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-npx-'));
});

afterEach(() => {
  process.argv[1] = script;
  rmSync(root, { recursive: true, force: true });
});

/** Lets this process be one that npx has started from a folder with this `package.json`. */
const startedByNpx = (manifest: string): void => {
  const folder = join(root, '_npx/1a2b3c');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  process.argv[1] = join(folder, 'node_modules/.bin/gateway');
};

describe('the program that clients start, exported by a command of npx', () => {
  it.each([
    ['file:../../gateway-5.13.0.tgz', '/gateway-5.13.0.tgz'],
    ['file:/opt/gateway.tgz', undefined],
  ])('is the package file from which npx has it: %s', (source, below) => {
    startedByNpx(JSON.stringify({ dependencies: { '@gateway/gateway': source } }));
    const path = below === undefined ? '/opt/gateway.tgz' : root + below;
    expect(resolveGatewayProgram()).toEqual({
      command: 'npx',
      args: ['-y', '--package', path, 'gateway'],
    });
  });

  it('is the URL from which npx has it', () => {
    const url = 'https://packages.example.com/gateway.tgz';
    startedByNpx(JSON.stringify({ dependencies: { '@gateway/gateway': url } }));
    expect(resolveGatewayProgram()).toEqual({
      command: 'npx',
      args: ['-y', '--package', url, 'gateway'],
    });
  });

  it.each([
    ['{"dependencies":{"@gateway/gateway":"^5.13.0"}}'],
    ['{"dependencies":{"@gateway/gateway":5}}'],
    ['{"dependencies":null}'],
    ['null'],
    ['{'],
  ])('is the package of the registry otherwise: %s', (manifest) => {
    startedByNpx(manifest);
    expect(resolveGatewayProgram()).toEqual({ command: 'npx', args: ['-y', '@gateway/gateway'] });
  });

  it('is its script where npx has not started it', () => {
    process.argv[1] = '/opt/gateway/dist/cli.js';
    expect(resolveGatewayProgram()).toEqual({
      command: process.execPath,
      args: ['/opt/gateway/dist/cli.js'],
    });
  });
});
