import { describe, expect, it } from 'vitest';
import { buildCatalog, formatExposedName, formatWorkflowToolName } from '../src/index.ts';
import { catalogOf, core, inputOf, member, names, server, workflow } from './inventories.ts';
import { requirement } from './requirement.ts';

requirement('1.4/server-tool-names', () => {
  it('prefixes a tool with x and its server', () =>
    expect(formatExposedName('files', 'read')).toBe('x_files_read'));

  it('prefixes a name that already starts with the name of the server', () => {
    expect(formatExposedName('prometheus', 'prometheus_query')).toBe(
      'x_prometheus_prometheus_query',
    );
    expect(formatExposedName('files', 'files')).toBe('x_files_files');
  });

  it('serves two tools of which one has the name of the other after the name of the server', () => {
    const snapshot = catalogOf(server('sse', ['status', 'sse_status']));
    expect(names(snapshot.tools)).toEqual(['x_sse_status', 'x_sse_sse_status']);
    expect(snapshot.warnings).toEqual([]);
  });

  it('changes neither case nor characters', () =>
    expect(formatExposedName('My.Server', 'do-It/🚀 now')).toBe('x_My.Server_do-It/🚀 now'));

  it('accepts names that are properties of objects', () => {
    const snapshot = catalogOf(server('__proto__', ['constructor', '__proto__']));
    expect(names(snapshot.tools)).toEqual(['x___proto___constructor', 'x___proto_____proto__']);
    expect(snapshot.tool('x___proto___constructor')?.server).toBe('__proto__');
    expect(snapshot.tool('constructor')).toBeUndefined();
    expect(snapshot.toolsOfServer('toString')).toEqual([]);
  });
});

requirement('2.6/tool-prefix', () => {
  it('replaces the server name', () => {
    const snapshot = catalogOf(server('files-prod', ['read'], { toolPrefix: 'fs' }));
    expect(names(snapshot.tools)).toEqual(['x_fs_read']);
    expect(snapshot.tools[0]?.server).toBe('files-prod');
  });

  it('is not used without being set', () => {
    expect(names(catalogOf(server('prod', ['read'])).tools)).toEqual(['x_prod_read']);
    expect(names(catalogOf(server('prod', ['read'], { toolPrefix: '' })).tools)).toEqual([
      'x_prod_read',
    ]);
  });
});

requirement('1.4/workflow-names', () => {
  it('puts workflow_ before the name', () => {
    expect(formatWorkflowToolName('deploy-2')).toBe('workflow_deploy-2');
    const snapshot = buildCatalog(inputOf([], { workflows: [workflow('list'), workflow('a')] }));
    expect(names(snapshot.tools)).toEqual(['workflow_a', 'workflow_list']);
    expect(snapshot.toolOfWorkflow('list')?.name).toBe('workflow_list');
    expect(snapshot.toolOfWorkflow('workflow_list')).toBeUndefined();
  });
});

requirement('1.4/core-names', () => {
  it('leaves core tools as they are', () => {
    const snapshot = buildCatalog(inputOf([], { coreTools: [core('core_b'), core('core_a')] }));
    expect(names(snapshot.tools)).toEqual(['core_b', 'core_a']);
    expect(snapshot.coreTools).toEqual(snapshot.tools);
  });
});

requirement('1.4/family-names', () => {
  it('names a family tool after the family', () =>
    expect(names(catalogOf(member('a', ['get']), member('b', ['get'])).tools)).toEqual([
      'x_k8s_get',
    ]));

  it('prefixes a name that already starts with the family', () =>
    expect(names(catalogOf(member('a', ['get', 'k8s_get'])).tools)).toEqual([
      'x_k8s_get',
      'x_k8s_k8s_get',
    ]));

  it('ignores toolPrefix', () =>
    expect(names(catalogOf(member('a', ['get'], { toolPrefix: 'p' })).tools)).toEqual([
      'x_k8s_get',
    ]));
});

requirement('1.3/tool-kinds', () => {
  it('states the kind of a tool', () => {
    const snapshot = buildCatalog(
      inputOf([server('s', ['t']), member('m', ['t'])], {
        workflows: [workflow('w')],
        coreTools: [core('core_c')],
      }),
    );
    expect(snapshot.tools.map(({ name, kind }) => [name, kind])).toEqual([
      ['x_s_t', 'tool'],
      ['x_k8s_t', 'tool'],
      ['workflow_w', 'workflow'],
      ['core_c', 'core'],
    ]);
  });
});

describe('prompts and resources', () => {
  it('prefixes prompts and relative URIs, and leaves absolute URIs', () => {
    const snapshot = catalogOf(
      server('docs', [], {
        toolPrefix: 'd',
        prompts: [{ name: 'ask', arguments: [{ name: 'q', required: true }] }, { name: 'd_tell' }],
        resources: [
          { uri: 'file:///a', mimeType: 'text/plain' },
          { uri: 'readme' },
          { uri: 'd_readme' },
        ],
      }),
    );
    expect(snapshot.prompts).toEqual([
      {
        name: 'x_d_ask',
        server: 'docs',
        serverPrompt: 'ask',
        arguments: [{ name: 'q', required: true }],
      },
      { name: 'x_d_d_tell', server: 'docs', serverPrompt: 'd_tell' },
    ]);
    expect(snapshot.prompt('x_d_d_tell')?.serverPrompt).toBe('d_tell');
    expect(snapshot.prompt('ask')).toBeUndefined();
    expect(snapshot.resources).toEqual([
      { uri: 'file:///a', mimeType: 'text/plain', server: 'docs', serverUri: 'file:///a' },
      { uri: 'x_d_readme', server: 'docs', serverUri: 'readme' },
      { uri: 'x_d_d_readme', server: 'docs', serverUri: 'd_readme' },
    ]);
  });

  it('distinguishes one URI of several servers', () => {
    const resources = [{ uri: 'file:///a' }];
    const snapshot = catalogOf(server('b', [], { resources }), server('a', [], { resources }));
    expect(snapshot.resourcesOfUri('file:///a').map((one) => one.server)).toEqual(['a', 'b']);
    expect(snapshot.resourcesOfUri('file:///b')).toEqual([]);
  });

  it('serves those of family members per server', () => {
    const prompts = [{ name: 'ask' }];
    const snapshot = catalogOf(member('b', [], { prompts }), member('a', [], { prompts }));
    expect(names(snapshot.prompts)).toEqual(['x_a_ask', 'x_b_ask']);
  });
});
