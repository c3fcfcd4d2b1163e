import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import {
  exampleCatalog,
  exampleInput,
  namesOf,
  presetsOf,
  resolve,
  selected,
  server,
} from './example-catalog.ts';

const computeSelection = (...question: Parameters<typeof resolve>) => {
  const resolved = resolve(...question);
  if (!resolved.ok) throw new Error(resolved.error.code);
  return resolved.value.selection;
};

describe('the same question', () => {
  const presets = presetsOf({ p: { include: [{ server: 'git' }] } });
  it('is answered from memory', () =>
    expect(computeSelection(['preset:p', 'server:files'], { presets })).toBe(
      computeSelection(['preset:p', ' server:files'], { presets }),
    ));
  it('is answered from memory within the same selection', () => {
    const within = computeSelection(['server:git'], { presets });
    expect(computeSelection(['preset:full'], { presets, within })).toBe(
      computeSelection(['preset:full'], { presets, within }),
    );
  });
});

describe('a changed question', () => {
  const presets = presetsOf({ p: { include: [{ server: 'git' }] } });
  it('sees other presets of the same name', () => {
    const others = presetsOf({ p: { include: [{ server: 'files' }] } });
    expect(selected(['preset:p'], { presets })).toEqual(['x_git_get_log', 'x_git_push']);
    expect(selected(['preset:p'], { presets: others })).toEqual([
      'x_files_get_file',
      'x_files_write_file',
    ]);
    expect(selected(['preset:p'], { presets })).toEqual(['x_git_get_log', 'x_git_push']);
  });
  it('sees another catalog', () => {
    const servers = [server('git', ['blame'])];
    const next = buildCatalog({ ...exampleInput, servers }, exampleCatalog);
    expect(selected(['preset:p'], { presets })).toEqual(['x_git_get_log', 'x_git_push']);
    expect(selected(['preset:p'], { presets, catalog: next })).toEqual(['x_git_blame']);
  });
  it('sees a changed label of the catalog', () => {
    const labelled = presetsOf({ p: { include: [{ label: 'zone=eu' }] } });
    const next = buildCatalog(
      { ...exampleInput, servers: [server('git', ['push'], { labels: { zone: 'eu' } })] },
      exampleCatalog,
    );
    expect(selected(['preset:p'], { presets: labelled })).toEqual([
      'x_k8s_delete_pod',
      'x_k8s_get_pods',
    ]);
    expect(selected(['preset:p'], { presets: labelled, catalog: next })).toEqual(['x_git_push']);
  });
  it('sees another outer selection, or none', () => {
    const git = computeSelection(['server:git'], { presets });
    const files = computeSelection(['server:files'], { presets });
    expect(selected(['preset:full'], { presets, within: git })).toEqual(namesOf(git));
    expect(selected(['preset:full'], { presets, within: files })).toEqual(namesOf(files));
    expect(selected(['preset:full'], { presets })).toHaveLength(12);
  });
  it('sees another order in what is unmatched', () => {
    expect(resolve(['tool:a', 'tool:b'], { presets })).toMatchObject({
      value: { unmatched: ['tool:a', 'tool:b'] },
    });
    expect(resolve(['tool:b', 'tool:a'], { presets })).toMatchObject({
      value: { unmatched: ['tool:b', 'tool:a'] },
    });
  });
});

describe('memory', () => {
  const presets = presetsOf({});
  const catalog = buildCatalog(exampleInput);
  it('keeps 256 toolsets of a catalog, those asked for last', () => {
    const ask = (index: number) =>
      computeSelection(['server:git', `tool:t${index}`], { presets, catalog });
    const first = ask(0);
    const second = ask(1);
    for (let index = 2; index < 256; index += 1) ask(index);
    expect(ask(0)).toBe(first);
    ask(256);
    expect(ask(0)).toBe(first);
    expect(ask(1)).not.toBe(second);
  });
  it('does not keep a toolset of more than 8,192 characters', () => {
    const short = [`tool:${'a'.repeat(8_000)}`];
    const long = [`tool:${'a'.repeat(9_000)}`];
    expect(computeSelection(short, { presets, catalog })).toBe(
      computeSelection(short, { presets, catalog }),
    );
    expect(computeSelection(long, { presets, catalog })).not.toBe(
      computeSelection(long, { presets, catalog }),
    );
  });
});
