import { isJsonObject } from '@gateway/call-contract';
import { formatClearSecret, listClearSecrets, type StoredSecret } from '@gateway/client-config';
import {
  formatApiVersion,
  DEFAULT_NAMESPACE,
  MCP_SERVER_KIND,
  parseMcpServer,
  listPlaceholderWarnings,
} from '@gateway/crd-schemas';
import { computeMergePatch, type Mapping, parseYaml } from '@gateway/files';
import { readConfiguration } from '@gateway/gateway-config';
import {
  computeSecretChanges,
  renderServerText,
  openServerFiles,
  type OpenServerFiles,
  patchServerText,
  readDirectory,
  type ServerFile,
} from '@gateway/resource-store';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandFailure } from '../failure.ts';
import { writeClientFile } from './client-files.ts';
import type { FileChange } from './diff-text.ts';

/** Returns what a user does to start what was written. `--start` does not start every entry. */
export const formatStartHint = (start = false): string =>
  start
    ? 'What --allow accepts or a client has disabled does not start yet: read it, then set spec.autoStart to true.\n'
    : 'It does not start yet: read it, then set spec.autoStart to true, or use --start.\n';

export interface NewServer {
  readonly name: string;
  readonly spec: Mapping;
  /** Values that the `spec` refers to already. Further secrets in it become references. */
  readonly secrets: readonly StoredSecret[];
}

/** The files that a server changes. */
export interface ServerPlan extends NewServer {
  readonly before?: string | undefined;
  /** The text of the file afterwards; absent when it cannot be composed. */
  readonly after?: string | undefined;
  /** Secrets first. */
  readonly changes: readonly FileChange[];
  readonly problems: readonly string[];
  readonly secretProblems: readonly string[];
}

/** Returns the files of secrets that a plan gives another value. */
export const listReplacedSecrets = ({ changes }: ServerPlan): readonly string[] =>
  changes.flatMap(({ path, before, isSecret }) =>
    isSecret === true && before !== undefined ? [path] : [],
  );

const parseSpec = (text: string): Mapping | undefined => {
  const parsed = parseYaml(text);
  const spec = parsed.ok && isJsonObject(parsed.value) ? parsed.value['spec'] : undefined;
  return isJsonObject(spec) ? spec : undefined;
};

const listProblems = (
  result: { readonly kind: string } & Readonly<Record<string, unknown>>,
): readonly string[] => {
  if (Array.isArray(result['issues'])) return result['issues'].map(String);
  if (typeof result['text'] === 'string') return [result['text']];
  return [
    `its file was ${result.kind === 'exists' ? 'created' : 'deleted'} by another program meanwhile: try again`,
  ];
};

/** The servers of a configuration directory, for commands that change them. */
export class ServerDirectory {
  readonly path: string;
  readonly #apiGroup: string;
  readonly #files: OpenServerFiles;

  private constructor(path: string, apiGroup: string) {
    this.path = path;
    this.#apiGroup = apiGroup;
    this.#files = openServerFiles({ directory: path, apiGroup });
  }

  /** Runs a task on the servers of a configuration directory. @throws CommandFailure when it does not exist, or when its `config.yaml` is invalid */
  static async use<T>(place: string, task: (directory: ServerDirectory) => Promise<T>): Promise<T> {
    const directory = await ServerDirectory.#open(place);
    try {
      return await task(directory);
    } finally {
      await directory.#files.close();
    }
  }

  static async #open(directory: string): Promise<ServerDirectory> {
    const path = resolve(directory);
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isDirectory() !== true)
      throw new CommandFailure(
        'refused',
        `${directory} is not a directory: create it with gateway init ${directory}`,
      );
    const configuration = readConfiguration((await readDirectory(path)).config);
    if (!configuration.ok)
      throw new CommandFailure(
        'refused',
        `${join(directory, 'config.yaml')} is not valid: run gateway validate --config-dir ${directory}`,
      );
    return new ServerDirectory(path, configuration.config.apiGroup);
  }

  async file(name: string): Promise<ServerFile | undefined> {
    return this.#files.read(name);
  }

  /** Returns what a server would change: a new file, or the present one with its comments. It is validated, and not written. */
  async plan(server: NewServer, file: ServerFile | undefined): Promise<ServerPlan> {
    const { name, spec, secrets } = server;
    const request = { name, apiGroup: this.#apiGroup, secrets };
    const made =
      file === undefined
        ? renderServerText(this.#document(server), request)
        : patchServerText({ kind: 'text', text: file.text }, toPatch(file.text, spec), {
            ...request,
            keepsDestination: false,
          });
    const plan = { ...server, before: file?.text, changes: [], secretProblems: [] };
    if (!made.ok) return { ...plan, problems: listProblems({ ...made.result }) };
    const written = await computeSecretChanges(this.path, name, made.secrets ?? []);
    const changes = written.changes.map((change) => ({ ...change, isSecret: true }));
    const own: FileChange = {
      path: file?.path ?? `mcpservers/${name}.yaml`,
      after: made.text,
      ...(file !== undefined && { before: file.text }),
    };
    return {
      ...plan,
      after: made.text,
      changes: own.before === own.after ? changes : [...changes, own],
      secretProblems: written.problems,
      problems: [],
    };
  }

  /**
   * Writes a server. Changes that other programs made since its plan stay, and a new file replaces none.
   *
   * @throws CommandFailure when it cannot be written
   */
  async apply(plan: ServerPlan): Promise<void> {
    const { name, spec, secrets, before } = plan;
    const key = { namespace: DEFAULT_NAMESPACE, name };
    const result =
      before === undefined
        ? await this.#files.create(this.#document(plan), secrets)
        : await this.#files.patch(key, toPatch(before, spec), undefined, secrets);
    if (result.kind !== 'done')
      throw new CommandFailure('failed', `${name}: ${listProblems({ ...result }).join('; ')}`);
  }

  /** Returns the `spec` of a file; an empty one for a file without. */
  parseSpec(file: ServerFile): Mapping {
    return parseSpec(file.text) ?? {};
  }

  listProblems(name: string, text: string): readonly string[] {
    const parsed = parseYaml(text);
    if (!parsed.ok) return parsed.problems.map(({ message }) => message);
    if (!isJsonObject(parsed.value)) return ['the text is not a mapping'];
    const made = renderServerText(parsed.value, { name, apiGroup: this.#apiGroup });
    return made.ok ? [] : listProblems({ ...made.result });
  }

  /** Returns a sentence for each text of a valid file that looks like a placeholder and is none, or like a secret. */
  listWarnings(text: string): readonly string[] {
    const document = parseYaml(text);
    if (!document.ok) return [];
    const parsed = parseMcpServer(document.value, {
      apiGroup: this.#apiGroup,
      hasPlaceholders: true,
    });
    return parsed.ok
      ? [
          ...listPlaceholderWarnings(parsed.value.spec),
          ...listClearSecrets(parsed.value.spec).map(formatClearSecret),
        ]
      : [];
  }

  /** Replaces the text of a file. @throws CommandFailure when it was changed meanwhile */
  async replace({ path, text }: ServerFile, after: string): Promise<void> {
    await writeClientFile(join(this.path, path), { before: text, after });
  }

  async remove(name: string): Promise<boolean> {
    const result = await this.#files.remove({ namespace: DEFAULT_NAMESPACE, name });
    if (result.kind === 'failed') throw new CommandFailure('failed', result.text);
    return result.kind === 'done';
  }

  #document({ name, spec }: NewServer): Mapping {
    return {
      apiVersion: formatApiVersion(this.#apiGroup),
      kind: MCP_SERVER_KIND,
      metadata: { name },
      spec,
    };
  }
}

const toPatch = (before: string, spec: Mapping): Mapping =>
  computeMergePatch(parseSpec(before) ?? {}, spec);
