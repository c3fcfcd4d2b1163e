const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const IS_LABEL = new RegExp(`^${LABEL}$`);
const IS_MANIFEST = new RegExp(`^(${LABEL})\\.yaml$`);
const IS_YAML = /^[^.].*\.ya?ml$/is;

/** Returns whether a name is a DNS-1123 label, which cannot lead to another directory. */
export const isLabel = (name: string): boolean => IS_LABEL.test(name);

/** Returns the file name of an object. */
export const fileNameOf = (name: string): string => `${name}.yaml`;

/** Returns the name of the object in a file; undefined for other files. */
export const nameOfFile = (fileName: string): string | undefined => IS_MANIFEST.exec(fileName)?.[1];

/** Returns whether a file is YAML by its name. Hidden files belong to editors and mounts. */
export const isYamlFile = (fileName: string): boolean => IS_YAML.test(fileName);
