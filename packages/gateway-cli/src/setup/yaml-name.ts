const YAML = /\.ya?ml$/u;

/** Returns whether the configuration is read from files of this name. */
export const isYamlName = (name: string): boolean => YAML.test(name);

/** Returns the name of a file without its ending. */
export const withoutYamlEnding = (name: string): string => name.replace(YAML, '');
