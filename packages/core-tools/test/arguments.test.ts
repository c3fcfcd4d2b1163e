import { describe, expect, it } from 'vitest';
import { failure, portsOver, callTool, sentence } from './ports.ts';

describe('arguments', () => {
  it('refuses unknown ones and names the allowed ones', async () => {
    expect(await callTool('core_mcpserver_list', { all: true, showAll: true })).toEqual(
      failure('unknown args: [all]. Allowed args: [showAll, verbose]'),
    );
    expect(await callTool('core_service_list', { a: 1, b: 2 })).toEqual(
      failure('unknown args: [a, b]. Allowed args: []'),
    );
  });

  it('refuses names of the prototype like any other', async () => {
    expect(
      await callTool('core_service_list', JSON.parse('{"__proto__":1,"constructor":2}')),
    ).toEqual(failure('unknown args: [__proto__, constructor]. Allowed args: []'));
  });

  it('truncates the refusal', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${String(i)}`, 1]));
    const result = await callTool('core_service_list', { ['x'.repeat(200_000)]: 1, ...many });
    expect(JSON.stringify(result['content']).length).toBeLessThan(400);
  });

  it('requires a name', async () => {
    for (const args of [undefined, null, {}, { name: '' }, { name: null }]) {
      expect(await callTool('core_service_status', args)).toEqual(
        failure('name argument is required'),
      );
    }
  });

  it('refuses a wrong type and names the argument', async () => {
    expect(await callTool('core_service_stop', { name: 5 })).toEqual(
      failure('name must be a string'),
    );
    expect(await callTool('core_mcpserver_list', { verbose: 'yes' })).toEqual(
      failure('verbose must be a boolean'),
    );
    expect(await callTool('core_config_get', ['x'])).toEqual(
      failure('arguments must be a JSON object'),
    );
  });

  it('takes a name of 1024 characters and refuses a longer one', async () => {
    expect(await callTool('core_service_start', { name: 'n'.repeat(1024) })).toEqual(
      sentence(`Successfully started service '${'n'.repeat(1024)}'`),
    );
    expect(await callTool('core_service_start', { name: 'n'.repeat(10_000_000) })).toEqual(
      failure('name must be at most 1024 characters'),
    );
  });

  it('gives no order when arguments are refused', async () => {
    const ports = portsOver();
    await callTool('core_service_stop', { name: 'files', force: true }, ports);
    expect(ports.orders).toEqual([]);
  });
});
