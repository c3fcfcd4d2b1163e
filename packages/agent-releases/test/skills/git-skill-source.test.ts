import { refuse } from '@gateway/agent-manager-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createGitSkillSource,
  type GitSkillSourceOptions,
} from '../../src/skills/git-skill-source.ts';
import { startGitHost, type GitHostServer } from '../support/git-host-server.ts';

const SKILLS = 'https://git.gateway.internal/platform/skills';
const OTHER = 'https://git.gateway.internal/platform/other';

const RUNBOOKS = '---\nname: runbooks\ndescription: How to go about incidents.\n---\n# Runbooks\n';

let host: GitHostServer;
let clock: number;

beforeEach(async () => {
  clock = 0;
  const trunk = {
    'README.md': 'x',
    'ops/runbooks/SKILL.md': RUNBOOKS,
    'SKILL.md': 'no front matter',
  };
  const branch = { 'a/SKILL.md': '---\ndescription: New.\n---\n' };
  const refs = { trunk, 'feature/new': branch };
  host = await startGitHost({
    'platform/skills': { defaultBranch: 'trunk', refs },
    'platform/other': { defaultBranch: 'main', refs: { main: { 'b/SKILL.md': 'b' } } },
  });
});
afterEach(() => host.close());

const openSource = (options: Partial<GitSkillSourceOptions> = {}) => {
  const created = createGitSkillSource({
    repositories: [SKILLS],
    apiUrl: host.apiUrl,
    now: () => clock,
    ...options,
  });
  if (!created.ok) throw new Error(created.error);
  return created.value;
};

const listed = (...skills: readonly object[]) => ({ ok: true, value: { skills } });
const failing = (sentence: string) =>
  refuse('backend_error', `skill repository ${SKILLS}: ${sentence}`);

describe('which skills are listed', () => {
  it('lists every folder with a SKILL.md of the default branch, by path', async () => {
    const place = { repository: SKILLS, ref: 'trunk' };
    const description = 'How to go about incidents.';
    expect(await openSource().list({})).toEqual(
      listed(
        { name: 'skills', ...place, path: '' },
        { name: 'runbooks', description, ...place, path: 'ops/runbooks' },
      ),
    );
  });

  it('lists those of a ref, whose name may have slashes', async () => {
    const ref = 'feature/new';
    expect(await openSource().list({ ref })).toEqual(
      listed({ name: 'a', description: 'New.', repository: SKILLS, ref, path: 'a' }),
    );
  });

  it('lists all repositories in the order of the configuration, or the one that is asked for', async () => {
    const source = openSource({ repositories: [OTHER, `${SKILLS}.git`, `${SKILLS}/`] });
    const paths = async (repository?: string) => {
      const answer = await source.list({ repository });
      return answer.ok && answer.value.skills.map(({ path }) => path);
    };
    expect(source.repositories).toEqual([OTHER, SKILLS]);
    expect(await paths()).toEqual(['b', '', 'ops/runbooks']);
    expect(await paths(`${OTHER}.git`)).toEqual(['b']);
  });

  it('lists nothing of an empty repository', async () => {
    host.answerFirst(({ url }, response) => {
      if (url?.includes('/trees/') !== true) return false;
      response.writeHead(409).end('{"message":"Git Repository is empty."}');
      return true;
    });
    expect(await openSource().list({})).toEqual(listed());
  });
});

describe('a request to the host', () => {
  it('asks once while a listing is fresh, and also when many ask at once', async () => {
    const source = openSource();
    await Promise.all([source.list({}), source.list({}), source.list({})]);
    clock = 299_999;
    await source.list({});
    expect(host.asked).toHaveLength(4);
  });

  it('is conditional on a refresh, and when the listing is old', async () => {
    const source = openSource();
    await source.list({});
    host.asked.length = 0;
    const again = await source.list({ refresh: true });
    clock = 300_000;
    expect(await source.list({})).toEqual(again);
    expect(host.asked.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
  });

  it('asks again after a failure', async () => {
    const source = openSource();
    host.answerFirst((_request, response) => {
      response.writeHead(500).end();
      return true;
    });
    expect(await source.list({})).toEqual(failing('the Git host answered 500'));
    host.answerFirst(() => false);
    expect(await source.list({})).toMatchObject({ ok: true });
  });

  it('sends a token to the API, and none where none is configured', async () => {
    await openSource({ token: 'secret-token' }).list({});
    expect(new Set(host.asked.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer secret-token']),
    );
    host.asked.length = 0;
    await openSource().list({});
    expect(host.asked[0]?.authorization).toBeUndefined();
  });
});

describe('a refused listing', () => {
  it('refuses a repository that is not configured, without asking anybody', async () => {
    expect(await openSource().list({ repository: OTHER })).toEqual(
      refuse('not_found', `skill repository "${OTHER}" is not configured (configured: ${SKILLS})`),
    );
    expect(host.asked).toEqual([]);
  });

  it.each(['..', 'a/../b', '-x', 'a b', 'a\nb', 'a..b', '@{u}', 'x.lock', '', 'a'.repeat(256)])(
    'refuses %j as a ref, without asking anybody',
    async (ref) => {
      const answer = await openSource().list({ ref });
      expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
      expect(host.asked).toEqual([]);
    },
  );

  it('refuses a ref that the repository does not have', async () => {
    expect(await openSource().list({ ref: 'v9' })).toEqual(
      refuse('not_found', `ref "v9" in skill repository ${SKILLS}`),
    );
  });

  const BUSY = 'the Git host takes no more requests for now';
  const UNREADABLE = 'the Git host answered something else';
  const truncated = (url: string) =>
    url.includes('trees') ? '{"tree":[],"truncated":true}' : '{"default_branch":"x"}';
  it.each<readonly [string, number, string | typeof truncated, Record<string, string>]>([
    ['the Git host answered 503', 503, 'secret-token', {}],
    ['the Git host answered 401', 401, 'secret-token', {}],
    ['the Git host answered 404', 404, '', {}],
    [BUSY, 403, '', { 'x-ratelimit-remaining': '0' }],
    [BUSY, 429, '', {}],
    ['the Git host reports that it has moved', 301, '', { location: '/elsewhere' }],
    [UNREADABLE, 200, '<html>', {}],
    [UNREADABLE, 200, '{"default_branch":5}', {}],
    ['the Git host answered more than is read', 200, ' '.repeat(1_048_577), {}],
    ['it has more files than the Git host lists', 200, truncated, {}],
  ])('reports of a failing host: %s (%#)', async (sentence, status, body, headers) => {
    host.answerFirst(({ url = '' }, response) => {
      response.writeHead(status, headers).end(typeof body === 'string' ? body : body(url));
      return true;
    });
    const answer = await openSource({ token: 'secret-token' }).list({});
    expect(answer).toEqual(failing(sentence));
    expect(JSON.stringify(answer)).not.toContain('secret-token');
  });

  it('refuses more than 500 skills, and reads no file of them', async () => {
    const file = { type: 'blob', sha: 'a'.repeat(40) };
    const paths = Array.from({ length: 501 }, (_, index) => `s${index}/SKILL.md`);
    const tree = paths.map((path) => ({ path, ...file }));
    host.answerFirst(({ url }, response) => {
      response.end(JSON.stringify(url?.includes('trees') ? { tree } : { default_branch: 'x' }));
      return true;
    });
    expect(await openSource().list({})).toEqual(failing('it has more than 500 skills'));
    expect(host.asked).toHaveLength(2);
  });

  it('does not wait longer than it may', async () => {
    host.answerFirst(() => true);
    expect(await openSource({ timeoutMs: 50 }).list({})).toEqual(
      failing('the Git host did not answer in time'),
    );
  });

  it('is refused when no host listens', async () => {
    const apiUrl = host.apiUrl;
    await host.close();
    expect(await openSource({ apiUrl }).list({})).toEqual(
      failing('the Git host cannot be reached'),
    );
    host = await startGitHost({});
  });
});

describe('how a source is configured', () => {
  const problemOf = (options: GitSkillSourceOptions) => {
    const created = createGitSkillSource(options);
    return created.ok ? undefined : created.error;
  };

  const PARTS = 'must be without user, password, query and fragment';
  const PATH = 'must be https://host/owner/name';
  it.each([
    ['http://git.gateway.internal/a/b', 'must begin with https://'],
    ['no address', 'must begin with https://'],
    ['https://me:secret@host/a/b', PARTS],
    ['https://host/a/b?token=secret', PARTS],
    ['https://host/a', PATH],
    ['https://host/a/b/c', PATH],
    ['https://host/a/%2e%2e%2fb', PATH],
    ['https://github.com/owner/name', undefined],
    ['https://github.com/owner/name.git/', undefined],
  ])('refuses the repository %s, without repeating it: %s', (address, problem) => {
    const expected = problem && `an address of a skill repository ${problem}`;
    expect(problemOf({ repositories: [address] })).toBe(expected);
  });

  it('refuses to send a token in the clear, except on this machine', () => {
    const problem = 'the address of the Git host’s API must begin with https://';
    expect(problemOf({ repositories: [SKILLS], apiUrl: 'http://git.internal/api' })).toBe(problem);
    expect(problemOf({ repositories: [SKILLS], apiUrl: 'http://127.0.0.1/api' })).toBeUndefined();
  });

  it('refuses an empty list of repositories', () => {
    expect(problemOf({ repositories: [] })).toBe('there is no skill repository');
  });
});
