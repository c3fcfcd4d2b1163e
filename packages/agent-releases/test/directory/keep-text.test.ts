import { refuse } from '@gateway/agent-manager-client';
import { chmod, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { valueOf } from '../suite/agent-store-suite.ts';
import { toName, releaseOf } from '../suite/sample-objects.ts';
import { releaseDirectory } from './release-directory.ts';

const SRE = 'releases/default/sre.yaml';

const COMMENTED = `# The agent on call. Ask the team before changing it.
kind: HelmRelease
apiVersion: helm.toolkit.fluxcd.io/v2
metadata:
  namespace: default
  name: sre
  annotations: { "team": 'one' } # ours

spec:
  suspend: false # Flux may act
  interval:   10m
  values:
    toolset: # the least it needs
      - preset:read-only

      - workflow:triage
    agent: {name: sre}
`;

describe('a written file', () => {
  it('keeps every byte that has no part in the change', async () => {
    const { open, write, read, at: pathOf } = await releaseDirectory();
    await write(SRE, COMMENTED);
    await chmod(pathOf(SRE), 0o640);
    const store = await open();
    const { object, revision } = valueOf(await store.getRelease(toName('sre')))!;
    const values = { ...(object.spec?.['values'] as object), agent: { name: 'on-call' } };
    const next = { ...object, spec: { ...object.spec, values } };
    const replaced = valueOf(await store.replaceRelease(next, revision));
    expect(await read(SRE)).toBe(COMMENTED.replace('{name: sre}', '{name: on-call}'));
    expect((await stat(pathOf(SRE))).mode & 0o777).toBe(0o640);
    // The same again is no change.
    const again = valueOf(await store.replaceRelease(next, replaced.revision));
    expect(again.revision).toBe(replaced.revision);
  });
  it('has the keys of a new file in one order', async () => {
    const { open, read } = await releaseDirectory();
    const store = await open();
    const { apiVersion = '', kind = '', metadata } = releaseOf('sre');
    const { name, namespace, labels = {} } = metadata;
    const spec = { values: { text: 'a\nb\n', yes: 'yes' } };
    const release = { spec, metadata: { labels, namespace, name }, kind, apiVersion };
    valueOf(await store.createRelease(release));
    expect(await read(SRE)).toBe(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: sre
  namespace: default
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  values:
    text: |
      a
      b
    "yes": "yes"
`);
  });
  it('is refused when it could not be read again', async () => {
    const { open, names } = await releaseDirectory();
    const store = await open();
    const problem = 'HelmRelease default/sre cannot be written in 4194304 bytes of YAML';
    expect(await store.createRelease(releaseOf('sre', { text: 'x'.repeat(4_194_304) }))).toEqual(
      refuse('invalid_request', problem),
    );
    expect(await names('releases/default')).toEqual([]);
  });
});
