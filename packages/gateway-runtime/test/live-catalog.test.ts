import { ANONYMOUS, createPrincipal } from '@gateway/call-contract';
import type { CoreToolEntry, ServerInventory } from '@gateway/catalog';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CatalogOptions, createLiveCatalog, UserCatalogs } from '../src/live-catalog.ts';

const user = (subject: string) =>
  createPrincipal({ issuer: 'https://issuer.example.com', subject });

const inventory = (name: string, tool: string): ServerInventory => ({
  name,
  labels: {},
  tools: [{ name: tool, inputSchema: { type: 'object' } }],
  resources: [],
  resourceTemplates: [],
  prompts: [],
});

const files = inventory('files', 'read');
const mail = inventory('mail', 'send');
const stop = {
  name: 'core_service_stop',
  description: '',
  inputSchema: {},
  annotations: {},
} as const;
const NO_NAMES = { tools: [], prompts: [] };

const liveCatalog = (
  options: CatalogOptions & { readonly coreTools?: readonly CoreToolEntry[] } = {},
) => {
  const seen = new Map<string, readonly ServerInventory[]>();
  let shared: readonly ServerInventory[] = [files];
  const catalog = createLiveCatalog(
    {
      inventories: () => shared,
      contestedNames: () => NO_NAMES,
      inventoriesFor: ({ key }) => seen.get(key),
      contestedNamesIn: () => NO_NAMES,
      workflows: () => [],
      coreTools: options.coreTools ?? [],
      readerTools: [],
    },
    options,
  );
  const share = (next: readonly ServerInventory[]) => {
    shared = next;
    catalog.refresh();
  };
  return { catalog, seen, share };
};

const names = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) =>
  tools.map(({ name }) => name);

describe('the catalog of a principal', () => {
  it('has the tools of the servers that the principal is signed in to', () => {
    const { catalog, seen } = liveCatalog();
    seen.set(user('ada').key, [files, mail]);
    expect(names(catalog.snapshot(user('ada')))).toEqual(['x_files_read', 'x_mail_send']);
    expect(names(catalog.snapshot(user('bob')))).toEqual(['x_files_read']);
    expect(catalog.snapshot(ANONYMOUS)).toBe(catalog.shared());
  });

  it('has core tools that write for administrators and where callers do not sign in', () => {
    const { catalog, share } = liveCatalog({ coreTools: [stop] });
    const root = createPrincipal({ ...user('root'), issuer: 'https://x', scopes: ['mcp:admin'] });
    const all = ['x_files_read', 'core_service_stop'];
    expect(names(catalog.snapshot(root))).toEqual(all);
    expect(names(catalog.snapshot(ANONYMOUS))).toEqual(all);
    const reader = catalog.snapshot(user('ada'));
    expect(names(reader)).toEqual(['x_files_read']);
    expect(catalog.snapshot(user('bob'))).toBe(reader);
    expect(catalog.complete(user('ada'))).toBe(catalog.shared());
    share([mail]);
    expect(names(catalog.snapshot(user('ada')))).toEqual(['x_mail_send']);
  });

  it('is one object for all who see the same, until something changes', () => {
    const { catalog, seen, share } = liveCatalog();
    const both = [files, mail];
    for (const subject of ['ada', 'bob']) seen.set(user(subject).key, both);
    const before = catalog.snapshot(user('ada'));
    expect(catalog.snapshot(user('bob'))).toBe(before);
    share([files]);
    expect(catalog.snapshot(user('ada'))).toBe(before);
    share([inventory('files', 'write')]);
    const next = [inventory('files', 'write'), mail];
    for (const subject of ['ada', 'bob']) seen.set(user(subject).key, next);
    const after = catalog.snapshot(user('ada'));
    expect(names(after)).toEqual(['x_files_write', 'x_mail_send']);
    expect(catalog.snapshot(user('bob'))).toBe(after);
  });

  it('reports the change of one principal without another snapshot for everybody', () => {
    const { catalog } = liveCatalog();
    const before = catalog.shared();
    const changes: (ReadonlySet<string> | undefined)[] = [];
    catalog.onChange((principalKeys) => changes.push(principalKeys));
    catalog.usersChanged(new Set(['ada']));
    expect(changes).toEqual([new Set(['ada'])]);
    expect(catalog.shared()).toBe(before);
  });
});

describe('a change of what everybody sees', () => {
  it('is in the next snapshot at once, and reported once for all changes of a turn', async () => {
    const { catalog, share } = liveCatalog();
    const reported: string[][] = [];
    catalog.onChange(() => reported.push(names(catalog.shared())));
    share([files, mail]);
    expect(names(catalog.shared())).toEqual(['x_files_read', 'x_mail_send']);
    share([mail]);
    expect(names(catalog.snapshot(ANONYMOUS))).toEqual(['x_mail_send']);
    expect(reported).toEqual([]);
    await turn();
    expect(reported).toEqual([['x_mail_send']]);
  });

  it('is not reported when a later one of the turn withdraws it, or when nothing differs', async () => {
    const { catalog, share } = liveCatalog();
    let reports = 0;
    catalog.onChange(() => (reports += 1));
    share([files, mail]);
    share([files]);
    await turn();
    share([files]);
    await turn();
    expect(reports).toBe(0);
  });

  it('builds one snapshot for the changes of a turn that reads none', async () => {
    let builds = 0;
    const { share } = liveCatalog({ onSnapshot: () => (builds += 1) });
    builds = 0;
    for (const next of [[mail], [files, mail], [mail]]) share(next);
    await turn();
    expect(builds).toBe(1);
  });
});

it('keeps 256 catalogs, those that were used last', () => {
  const sources = { contestedNamesIn: () => NO_NAMES, workflows: () => [], coreTools: [] };
  const catalogs = new UserCatalogs(sources);
  const { catalog } = liveCatalog();
  const first = [files, mail];
  const before = catalogs.find(first, catalog.shared());
  for (let index = 0; index < 255; index += 1)
    catalogs.find([inventory(`s${index}`, 'tool')], catalog.shared());
  expect(catalogs.find(first, catalog.shared())).toBe(before);
  for (let index = 0; index < 256; index += 1)
    catalogs.find([inventory(`t${index}`, 'tool')], catalog.shared());
  expect(catalogs.find(first, catalog.shared())).not.toBe(before);
});
