import type { ConfigurationOutcome } from '@gateway/call-contract';
import { computeMergePatch, mergePatch } from '@gateway/files';
import { type ConfigDocument, type ConfigStore, formatProblem } from '@gateway/resource-store';
import { applyCommandLine } from './command-line.ts';
import { type Configuration, readConfiguration } from './read-configuration.ts';
import { CHANGEABLE_KEYS } from './schema/config-schema.ts';
import type { LiveConfiguration } from './live-configuration.ts';
import type { Address } from './defaults.ts';

interface ConfigurationCommandsOptions {
  readonly store: ConfigStore;
  readonly live: LiveConfiguration;
  /** The listen address; absent for stdio. */
  readonly address?: Address;
}

type Mapping = Readonly<Record<string, unknown>>;

const createInvalidOutcome = (issues: readonly string[]): ConfigurationOutcome => ({
  kind: 'invalid',
  issues,
});

const listMessages = (configuration: Extract<Configuration, { ok: false }>): readonly string[] =>
  configuration.problems.map(({ message }) => message);

/** Commands about the `config.yaml` of this process. An edit of the file discards changes that were not saved. */
export class ConfigurationCommands {
  readonly #parts: ConfigurationCommandsOptions;
  /** Updates that were not saved, as a patch of the file that they were made to. */
  #updates: { readonly file: ConfigDocument | undefined; readonly patch: Mapping } | undefined;

  constructor(parts: ConfigurationCommandsOptions) {
    this.#parts = parts;
  }

  /** Returns the keys about the endpoint and the catalog. They may contain secrets. */
  aggregator(): Mapping {
    const { live, address } = this.#parts;
    const draft = readConfiguration(this.#draft());
    const config = draft.ok ? draft.config : live.config();
    const hasOtherAddress = live
      .pendingKeys(config)
      .some((key) => key === 'http.host' || key === 'http.port');
    const { http, toolsetPresets = {} } = applyCommandLine(config, {
      address: hasOtherAddress ? undefined : address,
    });
    return { http, toolsetPresets };
  }

  /** Merges a patch (RFC 7396) into those keys. Values that need no restart take effect at once; nothing is written. */
  update(patch: Mapping): Promise<ConfigurationOutcome> {
    const foreign = Object.keys(patch).filter((key) => !CHANGEABLE_KEYS.includes(key));
    if (foreign.length > 0)
      return Promise.resolve(
        createInvalidOutcome(
          foreign.map((key) => `${key}: only ${CHANGEABLE_KEYS.join(' and ')} can be changed here`),
        ),
      );
    const draft = this.#draft(patch);
    const configuration = readConfiguration(draft);
    if (!configuration.ok)
      return Promise.resolve(createInvalidOutcome(listMessages(configuration)));
    const file = this.#parts.store.current().config;
    this.#updates = { file, patch: computeMergePatch(this.#fileValue(), draft.value as Mapping) };
    return Promise.resolve(this.#apply(draft, configuration));
  }

  /** Writes updated values to the file. */
  async save(): Promise<ConfigurationOutcome> {
    const { store } = this.#parts;
    const patch = this.#findUnsaved();
    if (Object.keys(patch).length > 0) {
      const written = await store.config.patch(patch, (document) => {
        const configuration = readConfiguration(document);
        return configuration.ok ? [] : listMessages(configuration);
      });
      if (written.kind !== 'done') return written;
      this.#updates = undefined;
    }
    return this.#applyFile();
  }

  /** Discards updated values and reads `config.yaml` and the resource files. */
  async reload(): Promise<ConfigurationOutcome> {
    const { store } = this.#parts;
    this.#updates = undefined;
    await store.refresh();
    return this.#applyFile();
  }

  /** Applies the current file. */
  #applyFile(): ConfigurationOutcome {
    const { configProblems, config } = this.#parts.store.current();
    if (configProblems.length > 0) return createInvalidOutcome(configProblems.map(formatProblem));
    const configuration = readConfiguration(config);
    return configuration.ok
      ? this.#apply(config, configuration)
      : createInvalidOutcome(configuration.problems.map(formatProblem));
  }

  #apply(
    document: ConfigDocument | undefined,
    { config }: Extract<Configuration, { ok: true }>,
  ): ConfigurationOutcome {
    const { live } = this.#parts;
    const restart = live.pendingKeys(config);
    live.update(document);
    return restart.length === 0 ? { kind: 'done' } : { kind: 'done', restart };
  }

  /** Returns the updates of the present file. */
  #findUnsaved(): Mapping {
    const { file, patch } = this.#updates ?? { file: undefined, patch: {} };
    return file === this.#parts.store.current().config ? patch : {};
  }

  #fileValue(): Mapping {
    const value = this.#parts.store.current().config?.value;
    return typeof value === 'object' && value !== null ? (value as Mapping) : {};
  }

  /** Returns the file with the unsaved updates and another patch. */
  #draft(patch: Mapping = {}): ConfigDocument {
    const { config } = this.#parts.store.current();
    const value = mergePatch(mergePatch(this.#fileValue(), this.#findUnsaved()), patch);
    return {
      source: config?.source ?? 'config.yaml',
      value,
      locate: config?.locate ?? (() => ({ line: 1, column: 1 })),
    };
  }
}
