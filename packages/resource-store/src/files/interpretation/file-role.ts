/** The role of a file in the configuration directory. */
export type FileRole =
  | { readonly kind: 'Configuration' }
  | {
      readonly kind: 'MCPServer' | 'Workflow';
      /** The base name of the file, which must equal the name of the resource. */
      readonly name: string;
    };

const YAML_FILE = /^([^.].*)\.ya?ml$/s;

/** Returns the base name of a YAML file; undefined for other files and for hidden ones, which editors and mounts create. */
export const yamlBasename = (fileName: string): string | undefined => YAML_FILE.exec(fileName)?.[1];

/** The folder of each kind in the configuration directory. @spec §1.5 */
export const RESOURCE_DIRECTORIES = { MCPServer: 'mcpservers', Workflow: 'workflows' } as const;
