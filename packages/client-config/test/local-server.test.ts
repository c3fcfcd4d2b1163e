import { describe, expect, it } from 'vitest';
import { toLocalServer, formatServerNote, formatServerProblem } from '@gateway/client-config';

it('keeps the texts of a server, with secrets as they are written', () => {
  const definition = {
    ...{ type: 'stdio', command: 'npx', args: ['--token', 'abc'], autoStart: false },
    env: { API_KEY: 'k', A: '$${lit}', B: '$${a}${USER}' },
  };
  expect(toLocalServer({ name: 'a', definition })).toMatchObject({
    spec: { ...definition, env: { API_KEY: 'k', A: '$${lit}', B: '$${a}${env:USER}' } },
    problems: [],
  });
});

describe('placeholders of a client', () => {
  const translated = (text: string, hasDollarNames = false) => {
    const definition = { env: { A: text } };
    const { spec, problems, notes } = toLocalServer({ name: 's', definition }, { hasDollarNames });
    return [spec['env'], problems.map(formatServerProblem), notes.map(formatServerNote)];
  };

  it('become those of the gateway', () => {
    const note = ['The gateway needs the environment variable "TOKEN".'];
    expect(translated('${TOKEN}')).toEqual([{ A: '${env:TOKEN}' }, [], note]);
    expect(translated('${env:TOKEN}')).toEqual([{ A: '${env:TOKEN}' }, [], note]);
    expect(translated('$TOKEN')).toEqual([{ A: '$TOKEN' }, [], []]);
    expect(translated('x $TOKEN', true)).toEqual([{ A: 'x ${env:TOKEN}' }, [], note]);
    expect(translated('${file:secrets/s/x}')).toEqual([{ A: '${file:secrets/s/x}' }, [], []]);
    expect(translated('${input:my key}')).toEqual([
      { A: '${file:secrets/s/my_key}' },
      [],
      ['Its client asks for the value of "my key": write it to secrets/s/my_key, with mode 0600.'],
    ]);
  });

  it.each(['/run/x', 'secrets/other/x', 'secrets/s/../other/x', 'secrets/s/..'])(
    'name no file of another server or program: %s',
    (path) => {
      const text = `\${file:${path}}`;
      const problem = expect.stringContaining('an import names only files in secrets/') as string;
      expect(translated(text)).toEqual([{ A: text }, [problem], []]);
    },
  );

  it.each(['${TOKEN}', '${file:secrets/s/x}'])(
    'of a remote server are not sent before a user starts it: %s',
    (text) => {
      const definition = { url: 'https://a.example/mcp', headers: { A: text }, autoStart: true };
      const { spec, notes } = toLocalServer({ name: 's', definition });
      expect(spec['autoStart']).toBe(false);
      expect(notes.map(formatServerNote).at(-1)).toContain('created without being started');
    },
  );

  it.each(['${workspaceFolder}/x', '${HOME:-/root}', '${command:x}', '${}'])(
    'that only the client knows are problems: %s',
    (text) => {
      expect(translated(text)).toEqual([{ A: text }, [expect.stringContaining('placeholder')], []]);
    },
  );
});
