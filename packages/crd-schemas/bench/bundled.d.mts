/** Bundles some exports of a package as a browser would load them. */
export declare const bundled: (
  cases: readonly string[],
  conditions?: readonly string[],
  library?: string,
) => Promise<
  readonly {
    readonly names: string;
    readonly bytes: number;
    readonly gzip: number;
    readonly modules: readonly string[];
  }[]
>;
