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
  host = await startGitHost({
    'platform/skills': {
      defaultBranch: 'trunk',
      refs: {
        trunk: {
          'README.md': 'x',
          'ops/runbooks/SKILL.md': RUNBOOKS,
          'SKILL.md': 'no front matter',
        },
        'feature/new': { 'a/SKILL.md': '---\ndescription: New.\n---\n' },
      },
    },
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

const failing = (sentence: string) =>
  refuse('backend_error', `skill repository ${SKILLS}: ${sentence}`);

describe('which skills are listed', () => {
  it('lists every folder with a SKILL.md of the default branch, by path', async () => {
    expect(await openSource().list({})).toEqual({
      ok: true,
      value: {
        skills: [
          { name: 'skills', repository: SKILLS, ref: 'trunk', path: '' },
          {
            name: 'runbooks',
            description: 'How to go about incidents.',
            repository: SKILLS,
            ref: 'trunk',
            path: 'ops/runbooks',
          },
        ],
      },
    });
  });

  it('lists those of a ref, whose name may have slashes', async () => {
    expect(await openSource().list({ ref: 'feature/new' })).toEqual({
      ok: true,
      value: {
        skills: [
          { name: 'a', description: 'New.', repository: SKILLS, ref: 'feature/new', path: 'a' },
        ],
      },
    });
  });

  it('lists all repositories in the order of the configuration, or the one that is asked for', async () => {
    const source = openSource({
      repositories: [OTHER, `${SKILLS}.git`, `${SKILLS}/`],
    });
    const paths = async (repository?: string) => {
      const listed = await source.list({ repository });
      return listed.ok && listed.value.skills.map(({ path }) => path);
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
    expect(await openSource().list({})).toEqual({ ok: true, value: { skills: [] } });
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
      refuse(
        'not_found',
        `skill repository "${OTHER}" is not configured (configured: ${SKILLS})`,
      ),
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

  it.each<readonly [string, (url: string) => readonly [number, Record<string, string>, string]]>([
    ['the Git host answered 503', () => [503, {}, 'secret-token']],
    ['the Git host answered 401', () => [401, {}, 'secret-token']],
    ['the Git host answered 404', () => [404, {}, '']],
    [
      'the Git host takes no more requests for now',
      () => [403, { 'x-ratelimit-remaining': '0' }, ''],
    ],
    ['the Git host takes no more requests for now', () => [429, {}, '']],
    ['the Git host reports that it has moved', () => [301, { location: '/elsewhere' }, '']],
    ['the Git host answered something else', () => [200, {}, '<html>']],
    ['the Git host answered something else', () => [200, {}, '{"default_branch":5}']],
    ['the Git host answered more than is read', () => [200, {}, ' '.repeat(1_048_577)]],
    [
      'it has more files than the Git host lists',
      (url) => [
        200,
        {},
        url.includes('trees') ? '{"tree":[],"truncated":true}' : '{"default_branch":"x"}',
      ],
    ],
  ])('reports of a failing host: %s (%#)', async (sentence, answerOf) => {
    host.answerFirst(({ url }, response) => {
      const [status, headers, body] = answerOf(url ?? '');
      response.writeHead(status, headers).end(body);
      return true;
    });
    const answer = await openSource({ token: 'secret-token' }).list({});
    expect(answer).toEqual(failing(sentence));
    expect(JSON.stringify(answer)).not.toContain('secret-token');
  });

  it('refuses more than 500 skills, and reads no file of them', async () => {
    const tree = Array.from({ length: 501 }, (_, index) => ({
      path: `s${index}/SKILL.md`,
      type: 'blob',
      sha: 'a'.repeat(40),
    }));
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

  it.each([
    ['http://git.gateway.internal/a/b', 'must begin with https://'],
    ['no address', 'must begin with https://'],
    ['https://me:secret@host/a/b', 'must be without user, password, query and fragment'],
    ['https://host/a/b?token=secret', 'must be without user, password, query and fragment'],
    ['https://host/a', 'must be https://host/owner/name'],
    ['https://host/a/b/c', 'must be https://host/owner/name'],
    ['https://host/a/%2e%2e%2fb', 'must be https://host/owner/name'],
  ])('refuses the repository %s, without repeating it', (address, problem) => {
    expect(problemOf({ repositories: [address] })).toBe(
      `an address of a skill repository ${problem}`,
    );
  });

  it.each(['https://github.com/owner/name', 'https://github.com/owner/name.git/'])(
    'takes the repository %s',
    (address) => {
      expect(problemOf({ repositories: [address] })).toBeUndefined();
    },
  );

  it('refuses to send a token in the clear, except on this machine', () => {
    const problem = 'the address of the Git host’s API must begin with https://';
    expect(problemOf({ repositories: [SKILLS], apiUrl: 'http://git.internal/api' })).toBe(problem);
    expect(problemOf({ repositories: [SKILLS], apiUrl: 'http://127.0.0.1/api' })).toBeUndefined();
  });

  it('refuses an empty list of repositories', () => {
    expect(problemOf({ repositories: [] })).toBe('there is no skill repository');
  });
});
