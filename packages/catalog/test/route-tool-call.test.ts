import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { buildCatalog, type CatalogTool, formatError, routeToolCall } from '../src/index.ts';
import { core, inputOf, member, server, workflow } from './inventories.ts';
import { requirement } from './requirement.ts';

const snapshot = buildCatalog(
  inputOf(
    [
      server('files', ['read']),
      member('a', ['get']),
      member('b', ['get', 'put']),
      server('odd', ['get'], { family: { name: 'odd', instanceArg: '__proto__' } }),
    ],
    { workflows: [workflow('w')], coreTools: [core('core_c')] },
  ),
);

const tool = (name: string): CatalogTool => snapshot.tool(name)!;

const textOf = (name: string, args: JsonObject | undefined): string => {
  const route = routeToolCall(tool(name), args);
  if (route.ok) throw new Error('it has a route');
  return formatError(route.error);
};

describe('a call of a server tool', () => {
  it('calls the server under its own tool name, with unchanged arguments', () => {
    const args = { path: '/a', cluster: 'b' };
    const route = routeToolCall(tool('x_files_read'), args);
    expect(route).toEqual({
      ok: true,
      value: { server: 'files', serverTool: 'read', arguments: { path: '/a', cluster: 'b' } },
    });
    expect(route.ok && route.value.arguments).toBe(args);
  });

  it('needs no arguments', () =>
    expect(routeToolCall(tool('x_files_read'), undefined)).toMatchObject({
      value: { arguments: {} },
    }));
});

requirement('2.6/family-instance-arg', () => {
  it('sends the call to the chosen instance, without the argument', () => {
    const args = { name: 'x', cluster: 'b', all: true };
    expect(routeToolCall(tool('x_k8s_get'), args)).toEqual({
      ok: true,
      value: { server: 'b', serverTool: 'get', arguments: { name: 'x', all: true } },
    });
    expect(args).toEqual({ name: 'x', cluster: 'b', all: true });
    expect(routeToolCall(tool('x_k8s_put'), { cluster: 'b' })).toMatchObject({
      value: { serverTool: 'put' },
    });
  });

  it.each([undefined, {}, { cluster: '' }, { cluster: 1 }, { cluster: null }, { Cluster: 'a' }])(
    'refuses %j, which names no instance',
    (args) =>
      expect(textOf('x_k8s_get', args)).toBe(
        'tool x_k8s_get is provided by a family on servers a, b; the "cluster" parameter is required',
      ),
  );

  it('refuses an instance that does not provide the tool', () => {
    expect(textOf('x_k8s_get', { cluster: 'z' })).toBe(
      'tool x_k8s_get is not available on server "z" (available: a, b)',
    );
    expect(textOf('x_k8s_put', { cluster: 'a' })).toBe(
      'tool x_k8s_put is not available on server "a" (available: b)',
    );
    expect(textOf('x_k8s_get', { cluster: 'k8s' })).toBe(
      'tool x_k8s_get is not available on server "k8s" (available: a, b)',
    );
  });

  it('repeats no more than 256 characters of what a caller made up', () =>
    expect(textOf('x_k8s_get', { cluster: 'z'.repeat(1e7) })).toBe(
      `tool x_k8s_get is not available on server "${'z'.repeat(256)}…" (available: a, b)`,
    ));

  it('accepts argument names that are properties of objects', () => {
    expect(textOf('x_odd_get', {})).toBe(
      'tool x_odd_get is provided by a family on servers odd; the "__proto__" parameter is required',
    );
    const args = JSON.parse('{"__proto__":"odd","constructor":1}') as JsonObject;
    expect(routeToolCall(tool('x_odd_get'), args)).toEqual({
      ok: true,
      value: { server: 'odd', serverTool: 'get', arguments: { constructor: 1 } },
    });
    const passed = routeToolCall(tool('x_k8s_get'), { ...args, cluster: 'a' });
    expect(passed.ok && JSON.stringify(passed.value.arguments)).toBe(
      '{"__proto__":"odd","constructor":1}',
    );
  });
});

describe('a call of a tool without a server', () => {
  it('has no route', () => {
    expect(textOf('workflow_w', {})).toBe('tool workflow_w is not served by a server');
    expect(textOf('core_c', {})).toBe('tool core_c is not served by a server');
  });
});
