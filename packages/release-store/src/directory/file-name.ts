const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const IS_LABEL = new RegExp(`^${LABEL}$`);
const IS_MANIFEST = new RegExp(`^(${LABEL})\\.yaml$`);
const IS_YAML = /^[^.].*\.ya?ml$/is;

/** Whether a name is a DNS-1123 label, so that it leads to no other directory. */
export const isLabel = (name: string): boolean => IS_LABEL.test(name);

/** The file of an object. */
export const fileNameOf = (name: string): string => `${name}.yaml`;

/** The name of the object that a file holds; undefined for files that hold none. */
export const nameOfFile = (fileName: string): string | undefined => IS_MANIFEST.exec(fileName)?.[1];

/** Whether a file is YAML by its name. Hidden ones are what editors and mounts leave around. */
export const isYamlFile = (fileName: string): boolean => IS_YAML.test(fileName);
