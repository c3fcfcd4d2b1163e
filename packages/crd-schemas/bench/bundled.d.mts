/** What a browser would load for some exports of the package. */
export declare const bundled: (
  cases: readonly string[],
  conditions?: readonly string[],
) => Promise<
  readonly {
    readonly names: string;
    readonly bytes: number;
    readonly gzip: number;
    readonly modules: readonly string[];
  }[]
>;
