import type { Workflow } from '@gateway/crd-schemas';
import type { ResourceKey } from '../../port/resource-key.ts';
import type { WorkflowWriter } from '../../port/workflow-writer.ts';
import type { WriteResult } from '../../port/write-result.ts';
import { RESOURCE_DIRECTORIES } from '../interpretation/file-role.ts';
import type { ResourceFilesOptions } from './server-files.ts';
import { workflowText } from './workflow-text.ts';
import type { TextBefore } from './replace-text.ts';
import { failed, MISSING, YamlFiles, type MadeText } from './yaml-files.ts';

type Request = Omit<Parameters<typeof workflowText>[0], 'apiGroup'>;

/** Writes the files in `workflows/`. */
export class WorkflowFiles implements WorkflowWriter {
  readonly #options: ResourceFilesOptions;
  readonly #files: YamlFiles;

  constructor(options: ResourceFilesOptions) {
    const { directory, onWritten } = options;
    this.#options = options;
    this.#files = new YamlFiles({
      root: directory,
      folder: RESOURCE_DIRECTORIES.Workflow,
      onWritten,
    });
  }

  readonly create = (workflow: Workflow): Promise<WriteResult> =>
    this.#files.create(workflow.metadata.name, () =>
      this.#textOf({ workflow, createdAt: Date.now() }),
    );

  readonly replace = async (workflow: Workflow): Promise<WriteResult> => {
    if (!this.#options.isAddressed(workflow.metadata)) return MISSING;
    return this.#files.replace(workflow.metadata.name, (before) =>
      this.#textOf({ workflow, ...textOf(before) }),
    );
  };

  readonly remove = async (key: ResourceKey): Promise<WriteResult> =>
    this.#options.isAddressed(key) ? this.#files.remove(key.name) : MISSING;

  /** Refuses further writes and waits for the running ones. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #textOf(request: Request): MadeText<WriteResult> {
    const { apiGroup } = this.#options;
    const made = workflowText({ ...request, ...(apiGroup === undefined ? {} : { apiGroup }) });
    if (made.ok) return made;
    return { ok: false, result: failed(`the workflow cannot be written: ${made.reason}`) };
  }
}

/** Returns the existing text; none for an unusable file, which is replaced by a new text. */
const textOf = (before: TextBefore): { readonly before?: string } =>
  before.kind === 'text' ? { before: before.text } : {};
