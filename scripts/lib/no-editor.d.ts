// tsconfig.core.json resolves `vscode` to this file. It is no module, so importing it is an error.
declare const noEditor: undefined;
