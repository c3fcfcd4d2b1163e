import { createPrincipal, type Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createCoreTools, type WritePermit } from '../src/index.ts';
import type { WriteEffect } from '../src/ports.ts';
import { failure, portsOver } from './ports.ts';

const ROOT: Principal = { key: 'root', subject: 'root' };

const { entries } = createCoreTools(portsOver());

/** The core tools that are refused without permission, by the effects for which their calls ask for it. */
const askedEffects = async () => {
  const asked: [string, readonly WriteEffect[]][] = [];
  for (const { name } of entries) {
    const effects: WriteEffect[] = [];
    const mayWrite: WritePermit = (_principal, effect) => {
      effects.push(effect);
      return false;
    };
    const outcome = await createCoreTools({ ...portsOver(), mayWrite }).call(name, undefined);
    if (outcome.ok && outcome.refused === 'writes') asked.push([name, effects]);
  }
  return Object.fromEntries(asked);
};

describe('permission to write', () => {
  it('is required by every core tool that is not read-only, but not for signing out, and by no other', async () => {
    const gateway = [
      'core_service_start core_service_stop core_service_restart',
      'core_config_update_aggregator core_config_save core_config_reload',
      'core_mcpserver_create core_mcpserver_update core_mcpserver_delete core_mcpserver_accept',
    ];
    const workflows = ['core_workflow_create', 'core_workflow_update', 'core_workflow_delete'];
    const effects = [
      ...gateway.flatMap((line) => line.split(' ')).map((name) => [name, ['gateway']]),
      ...workflows.map((name) => [name, ['workflows']]),
    ];
    expect(await askedEffects()).toEqual(Object.fromEntries(effects));
    const writing = entries.filter(
      ({ name, annotations }) => annotations.readOnlyHint !== true && name !== 'core_auth_logout',
    );
    expect(Object.keys(await askedEffects())).toEqual(writing.map(({ name }) => name));
  });

  it('is asked for the principal of the call, anonymous without one', async () => {
    const asked: string[] = [];
    const mayWrite: WritePermit = ({ subject }) => {
      asked.push(subject);
      return subject === 'root';
    };
    const ports = { ...portsOver(), mayWrite };
    const stop = { name: 'files' };
    const { call } = createCoreTools(ports);
    expect(await call('core_service_stop', stop, { principal: ROOT })).toMatchObject({
      result: { structuredContent: { message: "Successfully stopped service 'files'" } },
    });
    expect(await call('core_service_stop', stop)).toMatchObject({ result: { isError: true } });
    expect(asked).toEqual(['root', 'anonymous']);
    expect(ports.orders).toEqual(['stop files']);
  });

  it('is checked before the arguments, and its refusal is one sentence that names the key', async () => {
    const { call } = createCoreTools({ ...portsOver(), mayWrite: () => false });
    const server =
      'core_mcpserver_create is refused because it changes the gateway; the operator can permit it with "coreTools.writes: all" in config.yaml';
    const refused = { ok: true, refused: 'writes', result: failure(server) };
    expect(await call('core_mcpserver_create', { bad: 1 })).toEqual(refused);
    const workflow =
      'core_workflow_delete is refused because it changes the gateway; the operator can permit it with "coreTools.writes: workflows" or "coreTools.writes: all" in config.yaml';
    expect(await call('core_workflow_delete', { name: 'x' })).toMatchObject({
      result: { structuredContent: { error: workflow } },
    });
  });

  it('is refused to a user who signed in with the scope, who grants it and the command that asks for it', async () => {
    const { call } = createCoreTools({ ...portsOver(), mayWrite: () => false });
    const ada = createPrincipal({ issuer: 'https://x', subject: 'ada', scopes: ['mcp:read'] });
    const text =
      'core_service_stop is refused because it changes the gateway; it needs the scope mcp:admin, which the authorization server grants to members of the groups in "auth.adminGroups" of config.yaml; sign in again with it: gateway auth login --scope mcp:admin';
    expect(await call('core_service_stop', { name: 'files' }, { principal: ada })).toEqual({
      ...{ ok: true, refused: 'writes' },
      result: failure(text),
    });
  });

  it('divides the tools into those of every user and those that are refused without it', async () => {
    const { readerEntries, ...tools } = createCoreTools({ ...portsOver(), mayWrite: () => false });
    expect(tools.entries).toEqual(entries);
    const refused = new Set(Object.keys(await askedEffects()));
    expect(readerEntries).toEqual(entries.filter(({ name }) => !refused.has(name)));
  });
});
