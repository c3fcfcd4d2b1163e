import { isJsonObject, type JsonObject } from '../reading/json-object.ts';
import { ownAddress } from './address-kind.ts';
import { containerRisks } from './container-risks.ts';
import { redirectsTrust, type Risk, type ServerRisk } from './risk.ts';
import { isTextList } from './text-values.ts';

/** The options of a program before the first word that is none. */
interface ProgramOptions {
  readonly names: readonly string[];
  /** Options that neither run other code than the entry shows nor take it from another place. All others do, or may. */
  readonly harmless: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** Words before the package or program that are neither. */
  readonly subcommands?: readonly string[];
  /** A following word with a path or a suffix is a file, which the entry shows. */
  readonly runsFiles?: true;
}

const PROGRAMS: readonly ProgramOptions[] = [
  {
    names: ['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx'],
    harmless:
      /^(?:-[yqsdwp]|--(?:yes|quiet|silent|verbose|package|workspaces?|loglevel|offline|prefer-offline|prefer-online|no|no-install|no-audit|no-fund|no-progress|no-color|no-update-notifier|ignore-existing|bun|dir|cwd|filter))$/u,
    valued: /^(?:-[pw]|--(?:package|workspace|loglevel|dir|cwd|filter))$/u,
    subcommands: ['exec', 'x', 'dlx'],
  },
  {
    names: ['uvx', 'uv', 'pipx'],
    harmless:
      /^(?:-[pqvnmsU]|-p\d[\d.]*|--(?:from|with|with-editable|spec|python|directory|project|package|extra|group|refresh-package|refresh|quiet|verbose|isolated|no-cache|offline|no-project|no-sync|frozen|locked|active|all-extras|all-groups|dev|no-dev|module|script|prerelease|upgrade|native-tls|no-progress|no-config|no-env-file|managed-python|no-managed-python|python-preference|link-mode|color|reinstall|resolution|exact))$/u,
    valued:
      /^(?:-p|--(?:from|with|with-editable|spec|python|directory|project|package|extra|group|refresh-package|prerelease|python-preference|link-mode|color|resolution))$/u,
    subcommands: ['run', 'tool'],
  },
  {
    names: ['node', 'nodejs', 'bun', 'deno', 'tsx', 'ts-node'],
    harmless:
      /^(?:-[Aqb]|--(?:max[-_][\w-]+|(?:no|trace)[-_](?:warnings|deprecation)|trace[-_]uncaught|enable[-_]source[-_]maps|stack[-_]size|unhandled[-_]rejections|expose[-_]gc|experimental[-_](?:strip[-_]types|transform[-_]types|vm[-_]modules|modules|fetch|json[-_]modules|sqlite|wasm[-_]modules)|use[-_]system[-_]ca|dns[-_]result[-_]order|disable[-_]warning|title|watch|(?:allow|deny)-[\w-]+|no-prompt|no-lock|no-check|no-remote|no-npm|cached-only|unstable(?:-[\w-]+)?|quiet|bun|silent|smol|no-install))$/u,
    valued:
      /^--(?:title|disable-warning|unhandled-rejections|dns-result-order|max-http-header-size)$/u,
    subcommands: ['run', 'x', 'watch'],
    runsFiles: true,
  },
  {
    names: ['python', 'py', 'pypy'],
    harmless: /^-(?:[bBdEiIOPqsSuvx]*m?|\d(?:\.\d+)?|[WX].*)$/u,
    valued: /^-[WX]$/u,
    runsFiles: true,
  },
  { names: ['perl', 'ruby', 'lua', 'php'], harmless: /^-(?:[wTq]|W\d?|f)$/u, runsFiles: true },
  {
    names: ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'fish'],
    harmless: /^(?:[-+][eEuxliv]*o?|--(?:login|posix|norc|noprofile))$/u,
    valued: /^[-+][a-zA-Z]*o$/u,
    runsFiles: true,
  },
  {
    names: ['java'],
    harmless:
      /^-(?:jar|cp|classpath|-class-path|m|-module|X(?:m[nsx]|ss)\w+|ea|server|-enable-preview|-add-(?:opens|exports|modules)|D(?!(?:javax?|sun|jdk|com\.sun|https?|ftp|socks)\b|socksProxy)[\w.-]+)$/u,
    valued: /^(?:-cp|-classpath|--class-path|--add-(?:opens|exports|modules))$/u,
    runsFiles: true,
  },
  {
    names: [
      ...['corepack', 'mise', 'volta', 'fnm', 'conda', 'mamba', 'micromamba', 'pixi', 'poetry'],
      ...['pipenv', 'pdm', 'hatch', 'rye', 'busybox'],
    ],
    harmless: /^(?:-[nqv]|--(?:name|quiet|verbose|no-capture-output|live-stream))$/u,
    valued: /^(?:-n|--name)$/u,
    subcommands: ['run', 'exec', 'x'],
  },
];

const CONTAINER_PROGRAMS: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'finch']);

/** Programs that run the text or the program of their arguments, with other rights or in a form that is not read here. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['powershell', 'pwsh', 'osascript', 'sudo', 'doas', 'su', 'ssh', 'nsenter', 'chroot'],
  ...['unshare', 'xargs', 'setsid', 'socat', 'nohup', 'nice', 'time', 'timeout', 'stdbuf'],
  ...['ionice', 'chrt', 'taskset', 'numactl', 'script', 'watch', 'strace', 'ltrace', 'gdb'],
  ...['expect', 'awk', 'gawk', 'mawk', 'nawk', 'find', 'parallel', 'git', 'tclsh', 'wish'],
  ...['runuser', 'pkexec', 'systemd-run', 'machinectl', 'bwrap', 'firejail', 'flatpak', 'kubectl'],
  ...['crictl', 'ctr', 'lxc', 'docker-compose', 'podman-compose', 'buildah', 'rundll', 'regsvr'],
  ...['mshta', 'wscript', 'cscript', 'msbuild'],
]);

/** Returns the name of a program without its folders, its version and its suffix: `python` for `/usr/bin/python3.12`. */
const programName = (command: string): string =>
  (command.split(/[\\/]/u).at(-1) ?? '')
    .toLowerCase()
    .replace(/(?:-?\d+(?:\.\d+)*)?(?:\.(?:exe|cmd|bat))?$/u, '');

/** Returns the program of a package `NAME@VERSION` or `NAME==VERSION`. One with a scope has none of those known here. */
const programOfPackage = (word: string): string =>
  /^@[^/]+\//u.test(word) ? '' : word.replace(/^([^\\/@=]+)(?:@|==).*$/su, '$1');

/** More programs than this in one another have no purpose. */
const MAX_DEPTH = 16;

const risk = (name: Risk, part: string): ServerRisk => ({ code: 'risk', risk: name, part });

/** Options after which `npx` takes the package for their value, and reads the options behind it. */
const BEFORE_VALUE = /^--(?:no|no-(?:audit|fund|progress|color|update-notifier)|bun)$/u;

/** Subcommands that run the text of their arguments. */
const EVALUATING: ReadonlySet<string> = new Set([
  ...['deno eval', 'deno repl', 'deno task', 'bun exec', 'bun repl'],
]);

/** Returns the options that `npm` reads: those behind the package too, up to `--`. */
const optionsOfNpm = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--');
  const read = end === -1 ? words : words.slice(0, end);
  return read.filter((word) => word.startsWith('-'));
};

interface ReadWords {
  readonly options: readonly string[];
  /** The package or program that follows, with its own words. */
  readonly behind: readonly string[];
}

const readWords = (
  { valued, subcommands = [] }: ProgramOptions,
  words: readonly string[],
): ReadWords => {
  const options: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { options, behind: words.slice(at + 1) };
    if (/^[-+]/u.test(word)) options.push(word);
    else if (!subcommands.includes(word)) return { options, behind: words.slice(at) };
    if (valued?.test(word) === true) at += 1;
  }
  return { options, behind: [] };
};

const runtimeRisks = (
  program: string,
  known: ProgramOptions,
  words: readonly string[],
  depth: number,
): readonly ServerRisk[] => {
  const { options, behind } = readWords(known, words);
  const [next = '', ...args] = behind;
  const readsAll =
    program === 'npm' || (program === 'npx' && options.some((word) => BEFORE_VALUE.test(word)));
  const read = readsAll ? optionsOfNpm(words) : options;
  const isFile = known.runsFiles === true && /[\\/.]/u.test(next.replace(/@.*$/su, ''));
  return [
    ...read
      .filter((word) => !known.harmless.test(word.replace(/=.*$/su, '')))
      .map((word) => risk('runtime', word)),
    ...(EVALUATING.has(`${program} ${next}`) ? [risk('runtime', `${program} ${next}`)] : []),
    ...(isFile ? [] : commandRisks(programOfPackage(next), args, depth)),
  ];
};

const isAssignment = (word: string): boolean => /^[^-=][^=]*=/u.test(word);

/** Characters by which `cmd` runs a second program. */
const CMD_OPERATOR = /[&|<>^%!()\n]/u;

/** `cmd` reads its words as one line. */
const cmdRisks = (words: readonly string[], depth: number): readonly ServerRisk[] => {
  const line = words
    .flatMap((word) => word.replaceAll('"', '').split(/[\s,;]+/u))
    .map((word) => word.replace(/^@+/u, ''))
    .filter((word) => word !== '' && word.toLowerCase() !== 'call');
  const at = line.findIndex((word) => !/^\/\w/u.test(word));
  const [options, [command = '', ...args]] =
    at === -1 ? [line, []] : [line.slice(0, at), line.slice(at)];
  return [
    ...[
      ...options.filter((word) => word.length > 2),
      ...words.filter((word) => CMD_OPERATOR.test(word)),
      ...(/^(?:start|if|for)$/iu.test(command) ? [command] : []),
    ].map((word) => risk('runtime', `cmd ${word}`)),
    ...commandRisks(command, args, depth),
  ];
};

/** `env NAME=VALUE program` and `wsl program` run the program that follows. */
const wrapperRisks = (
  program: string,
  words: readonly string[],
  depth: number,
): readonly ServerRisk[] => {
  const isOption = (word: string): boolean => word.startsWith('-');
  const at = words.findIndex((word) => !isAssignment(word) && !isOption(word));
  const before = at === -1 ? words : words.slice(0, at);
  const [command = '', ...args] = at === -1 ? [] : words.slice(at);
  return [
    ...before.filter(isOption).map((word) => risk('runtime', `${program} ${word}`)),
    ...before
      .filter(isAssignment)
      .map((word) => word.split('=')[0] ?? '')
      .filter(redirectsTrust)
      .map((name) => risk('environment', name)),
    ...commandRisks(command, args, depth),
  ];
};

const WRAPPERS: ReadonlySet<string> = new Set(['env', 'cross-env', 'wsl']);

/** Returns the risks of a program and of the programs that it runs in turn. */
const commandRisks = (
  command: string,
  args: readonly string[],
  outer = 0,
): readonly ServerRisk[] => {
  const program = programName(command);
  const depth = outer + 1;
  if (depth > MAX_DEPTH) return [risk('runtime', program)];
  if (CONTAINER_PROGRAMS.has(program)) return containerRisks(program, args);
  if (OPAQUE.has(program)) return [risk('runtime', program)];
  if (program === 'cmd') return cmdRisks(args, depth);
  if (WRAPPERS.has(program)) return wrapperRisks(program, args, depth);
  const options = PROGRAMS.find(({ names }) => names.includes(program));
  return options === undefined ? [] : runtimeRisks(program, options, args, depth);
};

/** Returns the risks of an address. A program of this machine that a user names is no risk; one that a registry names is. */
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

/** Returns the addresses of the metadata of a cloud in a text, which no server needs. */
const metadataRisks = (text: string): readonly ServerRisk[] =>
  (text.match(/https?:\/\/[^\s"'<>|]+/giu) ?? [])
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address))
    .filter((url) => ownAddress(url) === 'link-local')
    .map(({ origin }) => risk('address', origin));

/** Returns the risks of a definition that a client's file has, in its order. */
export const serverRisks = ({ command, args, env, url }: JsonObject): readonly ServerRisk[] => {
  const words = isTextList(args) ? args : [];
  const variables = isJsonObject(env) ? env : {};
  return [
    ...(typeof command === 'string' ? commandRisks(command, words) : []),
    ...Object.keys(variables)
      .filter(redirectsTrust)
      .map((name) => risk('environment', name)),
    ...[...words, ...Object.values(variables)]
      .filter((value) => typeof value === 'string')
      .flatMap(metadataRisks),
    ...(typeof url === 'string' ? addressRisks(url, true) : []),
  ];
};
