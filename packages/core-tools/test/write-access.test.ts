import type { Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createCoreTools, type WritePermit } from '../src/index.ts';
import type { WriteEffect } from '../src/ports.ts';
import { portsOver } from './ports.ts';

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
    expect(await askedEffects()).toEqual({
      core_service_start: ['gateway'],
      core_service_stop: ['gateway'],
      core_service_restart: ['gateway'],
      core_config_update_aggregator: ['gateway'],
      core_config_save: ['gateway'],
      core_config_reload: ['gateway'],
      core_mcpserver_create: ['gateway'],
      core_mcpserver_update: ['gateway'],
      core_mcpserver_delete: ['gateway'],
      core_mcpserver_accept: ['gateway'],
      core_workflow_create: ['workflows'],
      core_workflow_update: ['workflows'],
      core_workflow_delete: ['workflows'],
    });
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
    expect(await call('core_mcpserver_create', { bad: 1 })).toEqual({
      ok: true,
      refused: 'writes',
      result: {
        content: [{ type: 'text', text: server }],
        structuredContent: { error: server },
        isError: true,
      },
    });
    const workflow =
      'core_workflow_delete is refused because it changes the gateway; the operator can permit it with "coreTools.writes: workflows" or "coreTools.writes: all" in config.yaml';
    expect(await call('core_workflow_delete', { name: 'x' })).toMatchObject({
      result: { structuredContent: { error: workflow } },
    });
  });

  it('hides no tool', () => {
    const refusing = createCoreTools({ ...portsOver(), mayWrite: () => false });
    expect(refusing.entries).toEqual(entries);
  });
});
