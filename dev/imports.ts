import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

export interface Import {
  /** A path from the root, or the name of a package. */
  of: string
  isType: boolean
}

/** What each TypeScript file in these folders imports. */
export function readImports(roots: string[]): Map<string, Import[]> {
  const files = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, name)),
  )
  return new Map(files.map((file) => [file, importsOf(file)]))
}

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const list: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier && ts.isStringLiteral(specifier)) list.push({ of: resolve(file, specifier.text), isType })
  }
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return list
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  const path = relative('.', join(dirname(file), specifier.replace(/\?.*/, '')))
  return (
    [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((name) => /\.\w+$/.test(name) && existsSync(name)) ??
    path
  )
}
