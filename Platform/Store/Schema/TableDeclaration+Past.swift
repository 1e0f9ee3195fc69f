extension TableDeclaration {
  /// The table as it is, for a change of how its keys are made that leaves its columns alone. A published change
  /// writes its table out instead, since this one follows every later edit of the declaration.
  package var asItIs: FrozenTable { frozen }
}
