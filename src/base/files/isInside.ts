import path from 'node:path';

/** Whether `file` is `folder` or inside it. Both are real paths. */
export function isInside(file: string, folder: string, paths: path.PlatformPath = path): boolean {
  const relative = paths.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
