import { describe, expect, it } from 'vitest';
import { failure, portsOver, callTool, sentence } from './ports.ts';

describe('arguments', () => {
  it.each([
    [
      'core_mcpserver_list',
      { all: true, showAll: true },
      'unknown args: [all]. Allowed args: [showAll, verbose]',
    ],
    ['core_service_list', { a: 1, b: 2 }, 'unknown args: [a, b]. Allowed args: []'],
    [
      'core_service_list',
      JSON.parse('{"__proto__":1,"constructor":2}'),
      'unknown args: [__proto__, constructor]. Allowed args: []',
    ],
    ['core_service_status', undefined, 'name argument is required'],
    ['core_service_status', null, 'name argument is required'],
    ['core_service_status', {}, 'name argument is required'],
    ['core_service_status', { name: '' }, 'name argument is required'],
    ['core_service_status', { name: null }, 'name argument is required'],
    ['core_service_stop', { name: 5 }, 'name must be a string'],
    ['core_mcpserver_list', { verbose: 'yes' }, 'verbose must be a boolean'],
    ['core_config_get', ['x'], 'arguments must be a JSON object'],
    [
      'core_service_stop',
      { name: 'files', force: true },
      'unknown args: [force]. Allowed args: [name]',
    ],
    [
      'core_service_start',
      { name: 'n'.repeat(10_000_000) },
      'name must be at most 1024 characters',
    ],
  ])('of %s are refused without an order: %.80j', async (tool, args: unknown, text) => {
    const ports = portsOver();
    expect(await callTool(tool, args, ports)).toEqual(failure(text));
    expect(ports.orders).toEqual([]);
  });

  it('are named in a refusal of limited length', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${String(i)}`, 1]));
    const result = await callTool('core_service_list', { ['x'.repeat(200_000)]: 1, ...many });
    expect(JSON.stringify(result['content']).length).toBeLessThan(400);
  });

  it('may have a name of 1024 characters', async () => {
    const name = 'n'.repeat(1024);
    const started = sentence(`Successfully started service '${name}'`);
    expect(await callTool('core_service_start', { name })).toEqual(started);
  });
});
