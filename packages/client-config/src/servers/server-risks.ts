import { isJsonObject, type JsonObject } from '../reading/json-object.ts';
import { ownAddress } from './address-kind.ts';
import { containerRisks } from './container-risks.ts';
import { redirectsTrust, type Risk, type ServerRisk } from './risk.ts';
import { isTextList } from './text-values.ts';

/** The options of a program before the first word that is none. */
interface ProgramOptions {
  readonly names: readonly string[];
  /** Options that run other code than the entry shows, or take it from another place. */
  readonly redirecting: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: ReadonlySet<string>;
  /** Words before the package that are no package. */
  readonly subcommands?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

const PROGRAMS: readonly ProgramOptions[] = [
  {
    names: ['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx'],
    redirecting:
      /^(?:-c|--call|--(?:.*:)?registry|--node-options|--node-arg|-n|--userconfig|--globalconfig|--prefix|--script-shell|--shell|--cafile|--ca|--strict-ssl|--proxy|--https-proxy|--git|--cache)$/u,
    valued: new Set(['-p', '--package', '-w', '--workspace', '--loglevel']),
    subcommands: new Set(['exec', 'x', 'dlx', '--']),
  },
  {
    names: ['uvx', 'uv', 'pipx'],
    redirecting:
      /^(?:--index|--index-url|-i|--default-index|--extra-index-url|--find-links|-f|--allow-insecure-host|--trusted-host|--config-file|--env-file|--keyring-provider|--index-strategy|--pip-args|--overrides?|--constraints?|-c)$/u,
    valued: new Set([
      ...['--from', '--with', '--with-editable', '--spec', '-p', '--python', '--directory'],
      ...['--project', '--package', '--extra', '--group', '--refresh-package'],
    ]),
    subcommands: new Set(['run', 'tool', '--']),
  },
  {
    names: ['node', 'nodejs', 'bun', 'deno', 'tsx', 'ts-node'],
    redirecting:
      /^(?:-e|--eval|-p|--print|-pe|-r|--require|--import|--loader|--experimental-loader|--env-file|--env-file-if-exists|--preload|--inspect.*|--import-map)$/u,
    subcommands: new Set(['run', 'x', 'eval']),
  },
  {
    names: ['python', 'py', 'pypy'],
    redirecting: /^-[bBdEhiIOPqsSuvVx]*c/u,
    valued: new Set(['-W', '-X']),
  },
  { names: ['perl', 'ruby', 'lua', 'php'], redirecting: /^-(?:[A-Za-z0-9]*[eE]|[IMmr])/u },
  {
    names: ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'fish', 'busybox'],
    redirecting: /^-[A-Za-z]*c/u,
    subcommands: new Set(['sh', 'ash']),
  },
];

const CONTAINER_PROGRAMS: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'finch']);

/** Programs that run the text or the program of their arguments, with other rights or in a form that is not read here. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['powershell', 'pwsh', 'osascript', 'sudo', 'doas', 'su', 'ssh', 'nsenter', 'chroot'],
  ...['unshare', 'xargs', 'setsid', 'socat', 'nohup', 'nice', 'time', 'timeout', 'stdbuf'],
]);

/** Returns the name of a program without its folders, its version and its suffix: `python` for `/usr/bin/python3.12`. */
const programName = (command: string): string =>
  (command.split(/[\\/]/u).at(-1) ?? '')
    .toLowerCase()
    .replace(/(?:-?\d+(?:\.\d+)*)?(?:\.(?:exe|cmd|bat))?$/u, '');

const risk = (name: Risk, part: string): ServerRisk => ({ code: 'risk', risk: name, part });

/** `npm exec` reads options behind the package too. */
const readsAll = (program: string): boolean => program === 'npm';

const runtimeRisks = (
  program: string,
  { redirecting, valued = NONE, subcommands = NONE }: ProgramOptions,
  words: readonly string[],
): readonly ServerRisk[] => {
  const risks: ServerRisk[] = [];
  let isValue = false;
  for (const word of words) {
    const isOption = word.startsWith('-') && word !== '--';
    const isRead = isOption || isValue || subcommands.has(word) || readsAll(program);
    if (!isRead) break;
    if (isOption && redirecting.test(word.replace(/=.*$/su, ''))) risks.push(risk('runtime', word));
    isValue = valued.has(word);
  }
  return risks;
};

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*=/u.test(word);

/** `env NAME=VALUE program`, `cmd /c program` and `wsl program` run the program that follows. */
const wrapperRisks = (program: string, words: readonly string[]): readonly ServerRisk[] => {
  const isOption = (word: string): boolean => (program === 'cmd' ? /^\/\w$/u : /^-/u).test(word);
  const at = words.findIndex((word) => !isAssignment(word) && !isOption(word));
  const before = at === -1 ? words : words.slice(0, at);
  const [command = '', ...args] = at === -1 ? [] : words.slice(at);
  return [
    ...before
      .filter((word) => program !== 'cmd' && isOption(word))
      .map((word) => risk('runtime', `${program} ${word}`)),
    ...before
      .filter(isAssignment)
      .map((word) => word.split('=')[0] ?? '')
      .filter(redirectsTrust)
      .map((name) => risk('environment', name)),
    ...commandRisks(command, args),
  ];
};

const WRAPPERS: ReadonlySet<string> = new Set(['env', 'cmd', 'wsl']);

const commandRisks = (command: string, args: readonly string[]): readonly ServerRisk[] => {
  const program = programName(command);
  if (CONTAINER_PROGRAMS.has(program)) return containerRisks(program, args);
  if (OPAQUE.has(program)) return [risk('runtime', program)];
  if (WRAPPERS.has(program)) return wrapperRisks(program, args);
  const options = PROGRAMS.find(({ names }) => names.includes(program));
  return options === undefined ? [] : runtimeRisks(program, options, args);
};

/** Returns the risks of an address. A program of this machine that a person names is no risk; one that a registry names is. */
export const addressRisks = (address: string, mayBeLoopback: boolean): readonly ServerRisk[] => {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const own = ownAddress(url);
  if (own === 'loopback' && mayBeLoopback) return [];
  return [
    ...(own === undefined ? [] : [risk('address', url.origin)]),
    ...(url.protocol === 'http:' ? [risk('plain-http', url.origin)] : []),
  ];
};

/** Returns the risks of a definition that a client's file has, in its order. */
export const serverRisks = ({ command, args, env, url }: JsonObject): readonly ServerRisk[] => [
  ...(typeof command === 'string' ? commandRisks(command, isTextList(args) ? args : []) : []),
  ...(isJsonObject(env) ? Object.keys(env) : [])
    .filter(redirectsTrust)
    .map((name) => risk('environment', name)),
  ...(typeof url === 'string' ? addressRisks(url, true) : []),
];
