import { describe, expect, it } from 'vitest';
import {
  HTTP_REFUSALS,
  formatReason,
  REFUSALS,
  createRefusal,
  formatError,
} from '../../src/index.ts';

const SRE = { namespace: 'kagent', name: 'sre' };
const MODEL = { namespace: 'kagent', modelConfig: 'nope' };
const repository = 'https://git/a/b';
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

it('every refusal that depends on existing objects has exactly this text', () => {
  const said = {
    noAgentToRead: REFUSALS.noAgentToRead(SRE),
    noAgentToWrite: REFUSALS.noAgentToWrite(SRE),
    releaseExists: REFUSALS.releaseExists(SRE),
    releaseExistsAlready: REFUSALS.releaseExistsAlready(SRE),
    releaseIsBeingDeleted: REFUSALS.releaseIsBeingDeleted(SRE),
    sourceIsBeingDeleted: REFUSALS.sourceIsBeingDeleted({ namespace: 'kagent', name: 'agent' }),
    bareAgentExists: REFUSALS.bareAgentExists(SRE),
    namespaceNotManaged: REFUSALS.namespaceNotManaged({ namespace: 'x', managed: ['kagent', 'b'] }),
    noModelConfig: REFUSALS.noModelConfig({ ...MODEL, valid: ['default-model-config', 'qwen3'] }),
    bareAgent: REFUSALS.bareAgent(SRE),
    releaseFromGit: REFUSALS.releaseFromGit({ ...SRE, kustomization: 'flux-system' }),
    releaseSuspended: REFUSALS.releaseSuspended(SRE),
    releaseChanged: REFUSALS.releaseChanged(SRE),
    valuesRefused: REFUSALS.valuesRefused({
      schemaVersion: '0.6.0',
      schemaSource: 'embedded',
      problems: ['/agent/runtime: must be one of "go", "python"', '(root): x'],
    }),
    noSkillRepositories: REFUSALS.noSkillRepositories(),
    unknownSkillRepository: REFUSALS.unknownSkillRepository({
      repository: 'https://git/x/y',
      configured: [repository, 'https://git/c/d'],
    }),
    malformedSkillRef: REFUSALS.malformedSkillRef('a b'),
    noSkillRef: REFUSALS.noSkillRef({ repository, ref: 'v9' }),
    skillsUnread: REFUSALS.skillsUnread({ repository, reason: 'the host cannot be reached' }),
  };
  expect(Object.keys(said).toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
  expect(Object.entries(said).map(([name, it]) => `${name}: ${formatError(it)}`)).toEqual([
    'noAgentToRead: not_found: agent kagent/sre: no Agent and no HelmRelease of that name',
    'noAgentToWrite: not_found: agent kagent/sre',
    'releaseExists: conflict: HelmRelease kagent/sre already exists; use update_agent to change it',
    'releaseExistsAlready: conflict: HelmRelease kagent/sre already exists (use update_agent)',
    'releaseIsBeingDeleted: conflict: HelmRelease kagent/sre is being deleted; try again when it is gone, or pick another name',
    'sourceIsBeingDeleted: conflict: OCIRepository kagent/agent is being deleted; try again when it is gone',
    'bareAgentExists: conflict: Agent kagent/sre already exists without a HelmRelease (a bare CR); delete it first (delete_agent with force) or pick another name',
    'namespaceNotManaged: invalid_request: namespace "x" is not managed by agent-manager (managed: kagent, b)',
    'noModelConfig: invalid_request: modelConfig "nope" does not exist in namespace kagent; valid: default-model-config, qwen3',
    'bareAgent: conflict: Agent kagent/sre is a bare CR with no HelmRelease behind it; agent-manager only writes HelmRelease values (recreate it with create_agent, or delete it with force)',
    'releaseFromGit: conflict: HelmRelease kagent/sre is applied by Flux Kustomization "flux-system": its desired state lives in git, a live write would be undone. Change it in the GitOps repository, or pass force to write anyway',
    'releaseSuspended: conflict: HelmRelease kagent/sre is suspended: Flux will not act on a change. Resume it first, or pass force',
    'releaseChanged: conflict: HelmRelease kagent/sre has changed since it was read; read the agent again and repeat the change',
    'valuesRefused: invalid_request: values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/runtime: must be one of "go", "python"; (root): x',
    'noSkillRepositories: unsupported: no skill repositories are configured',
    'unknownSkillRepository: not_found: skill repository "https://git/x/y" is not configured (configured: https://git/a/b, https://git/c/d)',
    'malformedSkillRef: invalid_request: ref "a b" is not the name of a branch, a tag or a commit',
    'noSkillRef: not_found: ref "v9" in skill repository https://git/a/b',
    'skillsUnread: backend_error: skill repository https://git/a/b: the host cannot be reached',
  ]);
});

it('a namespace without model configurations is named in the refusal', () =>
  expect(formatReason(REFUSALS.noModelConfig({ ...MODEL, valid: [] }))).toBe(
    'modelConfig "nope" does not exist in namespace kagent (no ModelConfigs there; a platform admin provisions them)',
  ));

it('every refusal of the HTTP transport has exactly this text', () => {
  const said = {
    unknownRoute: HTTP_REFUSALS.unknownRoute('/api/v1/x'),
    methodNotAllowed: HTTP_REFUSALS.methodNotAllowed({ method: 'PUT', allow: ['GET', 'PATCH'] }),
    bodyTooLarge: HTTP_REFUSALS.bodyTooLarge(),
    notJson: HTTP_REFUSALS.notJson(),
    foreignHost: HTTP_REFUSALS.foreignHost('evil.example'),
    foreignOrigin: HTTP_REFUSALS.foreignOrigin('https://evil.example'),
  };
  expect(Object.keys(said)).toEqual(Object.keys(HTTP_REFUSALS));
  expect(
    Object.values(said).map(({ status, refusal: it }) => `${status} ${formatError(it)}`),
  ).toEqual([
    '404 not_found: there is nothing at "/api/v1/x"',
    '405 invalid_request: PUT is not allowed here (allowed: GET, PATCH)',
    '413 invalid_request: the body is longer than 1048576 bytes',
    '415 invalid_request: the Content-Type of the body must be application/json',
    '403 forbidden: host "evil.example" is not served here',
    '403 forbidden: origin "https://evil.example" is not allowed',
  ]);
});

describe('facts of any size', () => {
  const long = 'x'.repeat(10_000_000);
  it('are repeated in part', () => {
    expect(formatReason(REFUSALS.noAgentToWrite({ namespace: long, name: long }))).toBe(
      `agent ${'x'.repeat(256)}…/${'x'.repeat(256)}…`,
    );
    expect(HTTP_REFUSALS.unknownRoute(long).refusal.message.length).toBeLessThan(300);
  });
  it('are repeated in part when there are many', () => {
    const { message } = REFUSALS.noModelConfig({ ...SRE, modelConfig: 'm', valid: names(60) });
    expect(message).toMatch(/; valid: n0, n1, .*, n49, … \(10 more\)$/);
    const all = REFUSALS.noModelConfig({ ...SRE, modelConfig: 'm', valid: names(50) });
    expect(all.message).toMatch(/, n48, n49$/);
  });
  it('have no invisible characters', () =>
    expect(formatReason(REFUSALS.noAgentToWrite({ namespace: 'a\n', name: '\u202eb' }))).toBe(
      String.raw`agent a\n/\u202eb`,
    ));
});

describe('the text of a code', () => {
  it('start its message and are not part of the reason', () => {
    expect(createRefusal('not_found', 'agent a/b')).toEqual({
      code: 'not_found',
      message: 'not found: agent a/b',
    });
    expect(createRefusal('unauthenticated', 'x').message).toBe('unauthorized: x');
    expect(formatReason(createRefusal('conflict', 'conflict: x'))).toBe('conflict: x');
  });
  it('are absent when a backend failed', () =>
    expect(createRefusal('backend_error', 'x').message).toBe('x'));
});
