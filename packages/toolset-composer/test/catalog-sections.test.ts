import { describe, expect, it } from 'vitest';
import { readTools } from '../src/catalog-tool.ts';
import {
  type CatalogFacts,
  createCatalogSections,
  parseServers,
  parseServersRequiringAuth,
} from '../src/catalog-sections.ts';
import { toToolSelector } from '../src/composition.ts';

const facts = (parts: {
  tools?: readonly object[];
  servers?: readonly object[];
  auth?: readonly string[];
  labelDomain?: string;
}): CatalogFacts => ({
  tools: readTools({ tools: parts.tools ?? [] }),
  servers: parseServers({ mcpServers: parts.servers ?? [] }),
  requiringAuth: parseServersRequiringAuth({
    servers_requiring_auth: (parts.auth ?? []).map((name) => ({ name })),
  }),
  ...(parts.labelDomain !== undefined && { labelDomain: parts.labelDomain }),
});

const tool = (name: string, server: string): object => ({ name, kind: 'tool', server });
const workflow = (name: string): object => ({ name: `workflow_${name}`, kind: 'workflow' });
const grouped = (name: string, group: string, more: object = {}): object => ({
  name,
  labels: { 'example.com/tool-group': group },
  ...more,
});

const outline = (given: CatalogFacts): unknown =>
  createCatalogSections(given).map(({ label, rows }) => [
    label,
    rows.map(({ kind, name }) => `${kind} ${name}`),
  ]);

describe('the groups of the catalog', () => {
  it('are infrastructure, agent platform, registered servers and workflows', () => {
    const labelled = [grouped('metrics', 'infrastructure'), grouped('odd', 'other')];
    const given = facts({
      servers: [...labelled, grouped('agent-manager', 'agent-platform'), { name: 'notes' }],
      tools: [workflow('triage'), { name: 'core_events', kind: 'core' }],
    });
    expect(outline(given)).toEqual([
      ['Infrastructure', ['server metrics']],
      ['Agent Platform', ['server agent-manager', 'core Platform administration']],
      ['Registered servers', ['server notes', 'server odd']],
      ['Workflows', ['workflows ']],
    ]);
  });

  it('show servers without labels as registered servers', () => {
    expect(outline(facts({ servers: [{ name: 'b' }, { name: 'a' }] }))).toEqual([
      ['Registered servers', ['server a', 'server b']],
    ]);
  });

  it('read the label of one domain only where it is known', () => {
    const servers = [grouped('metrics', 'infrastructure')];
    expect(outline(facts({ servers, labelDomain: 'example.com' }))).toEqual([
      ['Infrastructure', ['server metrics']],
    ]);
    expect(outline(facts({ servers, labelDomain: 'example.org' }))).toEqual([
      ['Registered servers', ['server metrics']],
    ]);
  });

  it('are empty for an empty catalog', () => {
    expect(createCatalogSections(facts({}))).toEqual([]);
  });
});

describe('a server', () => {
  it('is one row for all members of a family', () => {
    const family = { name: 'k8s' };
    const servers = ['k8s-b', 'k8s-a'].map((name) => grouped(name, 'infrastructure', { family }));
    const given = facts({ servers, tools: [tool('x_k8s_get', 'k8s')] });
    const [section] = createCatalogSections(given);
    expect(section?.rows).toMatchObject([
      {
        kind: 'family',
        name: 'k8s',
        selector: 'server:k8s',
        tools: [{ name: 'x_k8s_get' }],
        servers: [{ name: 'k8s-a' }, { name: 'k8s-b' }],
      },
    ]);
  });

  it('is a row even where only its tools are known', () => {
    expect(outline(facts({ tools: [tool('x_notes_read', 'notes')] }))).toEqual([
      ['Registered servers', ['server notes']],
    ]);
  });

  it.each([
    ['by its state', { servers: [{ name: 'notes', state: 'Auth Required' }] }, ['notes']],
    ['by the list of the gateway', { servers: [{ name: 'notes' }], auth: ['notes'] }, ['notes']],
    ['by the list alone', { auth: ['notes'] }, ['notes']],
    ['not when it is connected', { servers: [{ name: 'notes', state: 'Connected' }] }, []],
    [
      'not when its tools are listed',
      {
        servers: [{ name: 'notes', state: 'Auth Required' }],
        tools: [tool('x_notes_read', 'notes')],
      },
      [],
    ],
  ])('requires a sign-in %s', (_, parts, signIn) => {
    expect(createCatalogSections(facts(parts))[0]?.rows[0]?.signIn).toEqual(signIn);
  });
});

describe('workflows', () => {
  const twelve = Array.from({ length: 12 }, (_, at) => workflow(`a-${at + 10}`));

  it('are one list up to 12', () => {
    expect(outline(facts({ tools: twelve }))).toEqual([['Workflows', ['workflows ']]]);
  });

  it('are grouped by the prefix of their names above 12, the others last', () => {
    const tools = [...twelve, ...['b_1', 'b_2', 'single-one', 'plain'].map(workflow)];
    const [section] = createCatalogSections(facts({ tools }));
    expect(section?.rows.map(({ name, tools: { length } }) => [name, length])).toEqual([
      ['a', 12],
      ['b', 2],
      ['', 2],
    ]);
  });
});

describe('the selector of a tool', () => {
  it.each([
    ['x_notes_read', 'tool', 'tool:x_notes_read'],
    ['workflow_triage', 'workflow', 'workflow:triage'],
    ['core_events', 'core', 'tool:core_events'],
    ['workflow_odd', 'tool', 'tool:workflow_odd'],
  ] as const)('of %s, a %s, is the third', (name, kind, selector) => {
    expect(toToolSelector({ name, kind })).toBe(selector);
  });
});

it('leaves out what is no tool and no server', () => {
  expect(readTools({ tools: [null, 7, { name: 'a' }, { name: 'b', kind: 'other' }] })).toEqual([]);
  expect(parseServers({ mcpServers: [{}, 'a', { name: 7 }] })).toEqual([]);
});

describe('the effects of a tool', () => {
  const effects = (annotations?: object): unknown => {
    const [{ isReadOnly, isDestructive, mayDestroy } = {}] = readTools({
      tools: [{ name: 'a', kind: 'tool', ...(annotations !== undefined && { annotations }) }],
    });
    return [isReadOnly, isDestructive, mayDestroy];
  };

  it.each([
    [{ destructiveHint: true }, [false, true, true]],
    [{ destructiveHint: true, readOnlyHint: false }, [false, true, true]],
    // The tool says that it only reads.
    [{ destructiveHint: true, readOnlyHint: true }, [true, false, false]],
    [{ readOnlyHint: true }, [true, false, false]],
    [{ destructiveHint: false }, [false, false, false]],
    // The tool does not deny it.
    [undefined, [false, false, true]],
    [{}, [false, false, true]],
    [{ readOnlyHint: false }, [false, false, true]],
    [{ destructiveHint: 'yes', readOnlyHint: 'yes' }, [false, false, true]],
  ])('of %j are %j', (annotations, expected) => {
    expect(effects(annotations)).toEqual(expected);
  });
});
