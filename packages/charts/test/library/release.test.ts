import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { expectTexts, type TextTable } from '../harness/template-texts.ts';

const noService = (name: string): string =>
  `the objects would have the name ${JSON.stringify(name)}, which is not valid for a Service (a letter, then letters, digits and "-"): set fullnameOverride`;

const NO_ACCOUNT =
  'rbac.create would grant its permissions to the account "default" and to other pods: set an account in serviceAccount.name, or set serviceAccount.create';

const CASES: TextTable = {
  [noService('1st')]: { fullnameOverride: '1st' },
  [noService('a.b')]: { fullnameOverride: 'a.b' },
  '': [
    { fullnameOverride: 'first' },
    { nameOverride: '1st' },
    { serviceAccount: { create: false, name: 'default' } },
    { serviceAccount: { create: false }, rbac: { create: false } },
  ],
  [NO_ACCOUNT]: { serviceAccount: { create: false } },
};

describe('a release with a Service and an account', () => {
  it('is refused for an invalid Service name, and for permissions of the default account', async () => {
    await expectTexts('agent-manager', '{{ include "library.releaseProblem" . }}', CASES);
  });

  it.each(['gateway', 'agent-manager', 'mcp-kubernetes'] as const)(
    'of %s is judged before it is rendered',
    async (chart) => {
      expect(await render(chart, {}, { release: '1st.release' })).toMatchObject({
        ok: false,
        error: expect.stringContaining(noService(`1st.release-${chart}`)) as string,
      });
    },
  );

  it('of the standalone chart has the path of its part', async () => {
    const values = { 'mcp-kubernetes': { serviceAccount: { create: false } } };
    expect(await render('standalone', values)).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        'mcp-kubernetes.rbac.create would grant its permissions to the account "default" and to other pods: set an account in mcp-kubernetes.serviceAccount.name, or set mcp-kubernetes.serviceAccount.create',
      ) as string,
    });
  });
});
