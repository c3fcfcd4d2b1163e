/** What a file of the directory is for. */
export type FileRole =
  | { readonly kind: 'Configuration' }
  | {
      readonly kind: 'MCPServer' | 'Workflow';
      /** The file's basename, which the resource's name must equal. */
      readonly name: string;
    };

const YAML_FILE = /^([^.].*)\.ya?ml$/s;

/** The basename of a YAML file; undefined for other files and for hidden ones, which editors and mounts leave around. */
export const yamlBasename = (fileName: string): string | undefined => YAML_FILE.exec(fileName)?.[1];

/** The folder of each kind in the configuration directory. @spec §1.5 */
export const RESOURCE_DIRECTORIES = { MCPServer: 'mcpservers', Workflow: 'workflows' } as const;
