package io.waymark.postgres;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import org.postgresql.util.DriverInfo;

/**
 * Metadata of the logical connection. What needs no server is answered without one, so that a
 * framework may ask for the product or the URL before it declares the connection read-only; the
 * rest runs as a statement would.
 */
final class RoutedDatabaseMetaData implements DatabaseMetaData {
  private final RoutedConnection connection;

  RoutedDatabaseMetaData(RoutedConnection connection) {
    this.connection = connection;
  }

  private <R> R on(Work<DatabaseMetaData, R> work) throws SQLException {
    return connection.run(bound -> work.on(bound.connection().getMetaData()));
  }

  /** A result that keeps the connection where it is until it is closed. */
  private ResultSet results(Work<DatabaseMetaData, ResultSet> work) throws SQLException {
    return connection.track(new RoutedResultSet(connection, null, on(work)));
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  /** The primary's URL, without parameters: they may hold credentials. */
  @Override
  public String getURL() {
    return connection.runtime().shownUrl();
  }

  @Override
  public String getUserName() throws SQLException {
    String configured = connection.runtime().config().user().orElse(null);
    return configured != null ? configured : on(DatabaseMetaData::getUserName);
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return connection.isReadOnly();
  }

  @Override
  public String getDatabaseProductName() {
    return "PostgreSQL";
  }

  @Override
  public String getDriverName() {
    return DriverInfo.DRIVER_NAME;
  }

  @Override
  public String getDriverVersion() {
    return DriverInfo.DRIVER_VERSION;
  }

  @Override
  public int getDriverMajorVersion() {
    return DriverInfo.MAJOR_VERSION;
  }

  @Override
  public int getDriverMinorVersion() {
    return DriverInfo.MINOR_VERSION;
  }

  @Override
  public int getJDBCMajorVersion() {
    return DriverInfo.JDBC_MAJOR_VERSION;
  }

  @Override
  public int getJDBCMinorVersion() {
    return DriverInfo.JDBC_MINOR_VERSION;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    connection.handOut();
    return on(inner -> inner.unwrap(type));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || on(inner -> inner.isWrapperFor(type));
  }

  @Override
  public boolean allProceduresAreCallable() throws SQLException {
    return on(inner -> inner.allProceduresAreCallable());
  }

  @Override
  public boolean allTablesAreSelectable() throws SQLException {
    return on(inner -> inner.allTablesAreSelectable());
  }

  @Override
  public boolean nullsAreSortedHigh() throws SQLException {
    return on(inner -> inner.nullsAreSortedHigh());
  }

  @Override
  public boolean nullsAreSortedLow() throws SQLException {
    return on(inner -> inner.nullsAreSortedLow());
  }

  @Override
  public boolean nullsAreSortedAtStart() throws SQLException {
    return on(inner -> inner.nullsAreSortedAtStart());
  }

  @Override
  public boolean nullsAreSortedAtEnd() throws SQLException {
    return on(inner -> inner.nullsAreSortedAtEnd());
  }

  @Override
  public String getDatabaseProductVersion() throws SQLException {
    return on(inner -> inner.getDatabaseProductVersion());
  }

  @Override
  public boolean usesLocalFiles() throws SQLException {
    return on(inner -> inner.usesLocalFiles());
  }

  @Override
  public boolean usesLocalFilePerTable() throws SQLException {
    return on(inner -> inner.usesLocalFilePerTable());
  }

  @Override
  public boolean supportsMixedCaseIdentifiers() throws SQLException {
    return on(inner -> inner.supportsMixedCaseIdentifiers());
  }

  @Override
  public boolean storesUpperCaseIdentifiers() throws SQLException {
    return on(inner -> inner.storesUpperCaseIdentifiers());
  }

  @Override
  public boolean storesLowerCaseIdentifiers() throws SQLException {
    return on(inner -> inner.storesLowerCaseIdentifiers());
  }

  @Override
  public boolean storesMixedCaseIdentifiers() throws SQLException {
    return on(inner -> inner.storesMixedCaseIdentifiers());
  }

  @Override
  public boolean supportsMixedCaseQuotedIdentifiers() throws SQLException {
    return on(inner -> inner.supportsMixedCaseQuotedIdentifiers());
  }

  @Override
  public boolean storesUpperCaseQuotedIdentifiers() throws SQLException {
    return on(inner -> inner.storesUpperCaseQuotedIdentifiers());
  }

  @Override
  public boolean storesLowerCaseQuotedIdentifiers() throws SQLException {
    return on(inner -> inner.storesLowerCaseQuotedIdentifiers());
  }

  @Override
  public boolean storesMixedCaseQuotedIdentifiers() throws SQLException {
    return on(inner -> inner.storesMixedCaseQuotedIdentifiers());
  }

  @Override
  public String getIdentifierQuoteString() throws SQLException {
    return on(inner -> inner.getIdentifierQuoteString());
  }

  @Override
  public String getSQLKeywords() throws SQLException {
    return on(inner -> inner.getSQLKeywords());
  }

  @Override
  public String getNumericFunctions() throws SQLException {
    return on(inner -> inner.getNumericFunctions());
  }

  @Override
  public String getStringFunctions() throws SQLException {
    return on(inner -> inner.getStringFunctions());
  }

  @Override
  public String getSystemFunctions() throws SQLException {
    return on(inner -> inner.getSystemFunctions());
  }

  @Override
  public String getTimeDateFunctions() throws SQLException {
    return on(inner -> inner.getTimeDateFunctions());
  }

  @Override
  public String getSearchStringEscape() throws SQLException {
    return on(inner -> inner.getSearchStringEscape());
  }

  @Override
  public String getExtraNameCharacters() throws SQLException {
    return on(inner -> inner.getExtraNameCharacters());
  }

  @Override
  public boolean supportsAlterTableWithAddColumn() throws SQLException {
    return on(inner -> inner.supportsAlterTableWithAddColumn());
  }

  @Override
  public boolean supportsAlterTableWithDropColumn() throws SQLException {
    return on(inner -> inner.supportsAlterTableWithDropColumn());
  }

  @Override
  public boolean supportsColumnAliasing() throws SQLException {
    return on(inner -> inner.supportsColumnAliasing());
  }

  @Override
  public boolean nullPlusNonNullIsNull() throws SQLException {
    return on(inner -> inner.nullPlusNonNullIsNull());
  }

  @Override
  public boolean supportsConvert() throws SQLException {
    return on(inner -> inner.supportsConvert());
  }

  @Override
  public boolean supportsConvert(int a, int b) throws SQLException {
    return on(inner -> inner.supportsConvert(a, b));
  }

  @Override
  public boolean supportsTableCorrelationNames() throws SQLException {
    return on(inner -> inner.supportsTableCorrelationNames());
  }

  @Override
  public boolean supportsDifferentTableCorrelationNames() throws SQLException {
    return on(inner -> inner.supportsDifferentTableCorrelationNames());
  }

  @Override
  public boolean supportsExpressionsInOrderBy() throws SQLException {
    return on(inner -> inner.supportsExpressionsInOrderBy());
  }

  @Override
  public boolean supportsOrderByUnrelated() throws SQLException {
    return on(inner -> inner.supportsOrderByUnrelated());
  }

  @Override
  public boolean supportsGroupBy() throws SQLException {
    return on(inner -> inner.supportsGroupBy());
  }

  @Override
  public boolean supportsGroupByUnrelated() throws SQLException {
    return on(inner -> inner.supportsGroupByUnrelated());
  }

  @Override
  public boolean supportsGroupByBeyondSelect() throws SQLException {
    return on(inner -> inner.supportsGroupByBeyondSelect());
  }

  @Override
  public boolean supportsLikeEscapeClause() throws SQLException {
    return on(inner -> inner.supportsLikeEscapeClause());
  }

  @Override
  public boolean supportsMultipleResultSets() throws SQLException {
    return on(inner -> inner.supportsMultipleResultSets());
  }

  @Override
  public boolean supportsMultipleTransactions() throws SQLException {
    return on(inner -> inner.supportsMultipleTransactions());
  }

  @Override
  public boolean supportsNonNullableColumns() throws SQLException {
    return on(inner -> inner.supportsNonNullableColumns());
  }

  @Override
  public boolean supportsMinimumSQLGrammar() throws SQLException {
    return on(inner -> inner.supportsMinimumSQLGrammar());
  }

  @Override
  public boolean supportsCoreSQLGrammar() throws SQLException {
    return on(inner -> inner.supportsCoreSQLGrammar());
  }

  @Override
  public boolean supportsExtendedSQLGrammar() throws SQLException {
    return on(inner -> inner.supportsExtendedSQLGrammar());
  }

  @Override
  public boolean supportsANSI92EntryLevelSQL() throws SQLException {
    return on(inner -> inner.supportsANSI92EntryLevelSQL());
  }

  @Override
  public boolean supportsANSI92IntermediateSQL() throws SQLException {
    return on(inner -> inner.supportsANSI92IntermediateSQL());
  }

  @Override
  public boolean supportsANSI92FullSQL() throws SQLException {
    return on(inner -> inner.supportsANSI92FullSQL());
  }

  @Override
  public boolean supportsIntegrityEnhancementFacility() throws SQLException {
    return on(inner -> inner.supportsIntegrityEnhancementFacility());
  }

  @Override
  public boolean supportsOuterJoins() throws SQLException {
    return on(inner -> inner.supportsOuterJoins());
  }

  @Override
  public boolean supportsFullOuterJoins() throws SQLException {
    return on(inner -> inner.supportsFullOuterJoins());
  }

  @Override
  public boolean supportsLimitedOuterJoins() throws SQLException {
    return on(inner -> inner.supportsLimitedOuterJoins());
  }

  @Override
  public String getSchemaTerm() throws SQLException {
    return on(inner -> inner.getSchemaTerm());
  }

  @Override
  public String getProcedureTerm() throws SQLException {
    return on(inner -> inner.getProcedureTerm());
  }

  @Override
  public String getCatalogTerm() throws SQLException {
    return on(inner -> inner.getCatalogTerm());
  }

  @Override
  public boolean isCatalogAtStart() throws SQLException {
    return on(inner -> inner.isCatalogAtStart());
  }

  @Override
  public String getCatalogSeparator() throws SQLException {
    return on(inner -> inner.getCatalogSeparator());
  }

  @Override
  public boolean supportsSchemasInDataManipulation() throws SQLException {
    return on(inner -> inner.supportsSchemasInDataManipulation());
  }

  @Override
  public boolean supportsSchemasInProcedureCalls() throws SQLException {
    return on(inner -> inner.supportsSchemasInProcedureCalls());
  }

  @Override
  public boolean supportsSchemasInTableDefinitions() throws SQLException {
    return on(inner -> inner.supportsSchemasInTableDefinitions());
  }

  @Override
  public boolean supportsSchemasInIndexDefinitions() throws SQLException {
    return on(inner -> inner.supportsSchemasInIndexDefinitions());
  }

  @Override
  public boolean supportsSchemasInPrivilegeDefinitions() throws SQLException {
    return on(inner -> inner.supportsSchemasInPrivilegeDefinitions());
  }

  @Override
  public boolean supportsCatalogsInDataManipulation() throws SQLException {
    return on(inner -> inner.supportsCatalogsInDataManipulation());
  }

  @Override
  public boolean supportsCatalogsInProcedureCalls() throws SQLException {
    return on(inner -> inner.supportsCatalogsInProcedureCalls());
  }

  @Override
  public boolean supportsCatalogsInTableDefinitions() throws SQLException {
    return on(inner -> inner.supportsCatalogsInTableDefinitions());
  }

  @Override
  public boolean supportsCatalogsInIndexDefinitions() throws SQLException {
    return on(inner -> inner.supportsCatalogsInIndexDefinitions());
  }

  @Override
  public boolean supportsCatalogsInPrivilegeDefinitions() throws SQLException {
    return on(inner -> inner.supportsCatalogsInPrivilegeDefinitions());
  }

  @Override
  public boolean supportsPositionedDelete() throws SQLException {
    return on(inner -> inner.supportsPositionedDelete());
  }

  @Override
  public boolean supportsPositionedUpdate() throws SQLException {
    return on(inner -> inner.supportsPositionedUpdate());
  }

  @Override
  public boolean supportsSelectForUpdate() throws SQLException {
    return on(inner -> inner.supportsSelectForUpdate());
  }

  @Override
  public boolean supportsStoredProcedures() throws SQLException {
    return on(inner -> inner.supportsStoredProcedures());
  }

  @Override
  public boolean supportsSubqueriesInComparisons() throws SQLException {
    return on(inner -> inner.supportsSubqueriesInComparisons());
  }

  @Override
  public boolean supportsSubqueriesInExists() throws SQLException {
    return on(inner -> inner.supportsSubqueriesInExists());
  }

  @Override
  public boolean supportsSubqueriesInIns() throws SQLException {
    return on(inner -> inner.supportsSubqueriesInIns());
  }

  @Override
  public boolean supportsSubqueriesInQuantifieds() throws SQLException {
    return on(inner -> inner.supportsSubqueriesInQuantifieds());
  }

  @Override
  public boolean supportsCorrelatedSubqueries() throws SQLException {
    return on(inner -> inner.supportsCorrelatedSubqueries());
  }

  @Override
  public boolean supportsUnion() throws SQLException {
    return on(inner -> inner.supportsUnion());
  }

  @Override
  public boolean supportsUnionAll() throws SQLException {
    return on(inner -> inner.supportsUnionAll());
  }

  @Override
  public boolean supportsOpenCursorsAcrossCommit() throws SQLException {
    return on(inner -> inner.supportsOpenCursorsAcrossCommit());
  }

  @Override
  public boolean supportsOpenCursorsAcrossRollback() throws SQLException {
    return on(inner -> inner.supportsOpenCursorsAcrossRollback());
  }

  @Override
  public boolean supportsOpenStatementsAcrossCommit() throws SQLException {
    return on(inner -> inner.supportsOpenStatementsAcrossCommit());
  }

  @Override
  public boolean supportsOpenStatementsAcrossRollback() throws SQLException {
    return on(inner -> inner.supportsOpenStatementsAcrossRollback());
  }

  @Override
  public int getMaxBinaryLiteralLength() throws SQLException {
    return on(inner -> inner.getMaxBinaryLiteralLength());
  }

  @Override
  public int getMaxCharLiteralLength() throws SQLException {
    return on(inner -> inner.getMaxCharLiteralLength());
  }

  @Override
  public int getMaxColumnNameLength() throws SQLException {
    return on(inner -> inner.getMaxColumnNameLength());
  }

  @Override
  public int getMaxColumnsInGroupBy() throws SQLException {
    return on(inner -> inner.getMaxColumnsInGroupBy());
  }

  @Override
  public int getMaxColumnsInIndex() throws SQLException {
    return on(inner -> inner.getMaxColumnsInIndex());
  }

  @Override
  public int getMaxColumnsInOrderBy() throws SQLException {
    return on(inner -> inner.getMaxColumnsInOrderBy());
  }

  @Override
  public int getMaxColumnsInSelect() throws SQLException {
    return on(inner -> inner.getMaxColumnsInSelect());
  }

  @Override
  public int getMaxColumnsInTable() throws SQLException {
    return on(inner -> inner.getMaxColumnsInTable());
  }

  @Override
  public int getMaxConnections() throws SQLException {
    return on(inner -> inner.getMaxConnections());
  }

  @Override
  public int getMaxCursorNameLength() throws SQLException {
    return on(inner -> inner.getMaxCursorNameLength());
  }

  @Override
  public int getMaxIndexLength() throws SQLException {
    return on(inner -> inner.getMaxIndexLength());
  }

  @Override
  public int getMaxSchemaNameLength() throws SQLException {
    return on(inner -> inner.getMaxSchemaNameLength());
  }

  @Override
  public int getMaxProcedureNameLength() throws SQLException {
    return on(inner -> inner.getMaxProcedureNameLength());
  }

  @Override
  public int getMaxCatalogNameLength() throws SQLException {
    return on(inner -> inner.getMaxCatalogNameLength());
  }

  @Override
  public int getMaxRowSize() throws SQLException {
    return on(inner -> inner.getMaxRowSize());
  }

  @Override
  public boolean doesMaxRowSizeIncludeBlobs() throws SQLException {
    return on(inner -> inner.doesMaxRowSizeIncludeBlobs());
  }

  @Override
  public int getMaxStatementLength() throws SQLException {
    return on(inner -> inner.getMaxStatementLength());
  }

  @Override
  public int getMaxStatements() throws SQLException {
    return on(inner -> inner.getMaxStatements());
  }

  @Override
  public int getMaxTableNameLength() throws SQLException {
    return on(inner -> inner.getMaxTableNameLength());
  }

  @Override
  public int getMaxTablesInSelect() throws SQLException {
    return on(inner -> inner.getMaxTablesInSelect());
  }

  @Override
  public int getMaxUserNameLength() throws SQLException {
    return on(inner -> inner.getMaxUserNameLength());
  }

  @Override
  public int getDefaultTransactionIsolation() throws SQLException {
    return on(inner -> inner.getDefaultTransactionIsolation());
  }

  @Override
  public boolean supportsTransactions() throws SQLException {
    return on(inner -> inner.supportsTransactions());
  }

  @Override
  public boolean supportsTransactionIsolationLevel(int a) throws SQLException {
    return on(inner -> inner.supportsTransactionIsolationLevel(a));
  }

  @Override
  public boolean supportsDataDefinitionAndDataManipulationTransactions() throws SQLException {
    return on(inner -> inner.supportsDataDefinitionAndDataManipulationTransactions());
  }

  @Override
  public boolean supportsDataManipulationTransactionsOnly() throws SQLException {
    return on(inner -> inner.supportsDataManipulationTransactionsOnly());
  }

  @Override
  public boolean dataDefinitionCausesTransactionCommit() throws SQLException {
    return on(inner -> inner.dataDefinitionCausesTransactionCommit());
  }

  @Override
  public boolean dataDefinitionIgnoredInTransactions() throws SQLException {
    return on(inner -> inner.dataDefinitionIgnoredInTransactions());
  }

  @Override
  public ResultSet getProcedures(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getProcedures(a, b, c));
  }

  @Override
  public ResultSet getProcedureColumns(String a, String b, String c, String d) throws SQLException {
    return results(inner -> inner.getProcedureColumns(a, b, c, d));
  }

  @Override
  public ResultSet getTables(String a, String b, String c, String[] d) throws SQLException {
    return results(inner -> inner.getTables(a, b, c, d));
  }

  @Override
  public ResultSet getSchemas() throws SQLException {
    return results(inner -> inner.getSchemas());
  }

  @Override
  public ResultSet getCatalogs() throws SQLException {
    return results(inner -> inner.getCatalogs());
  }

  @Override
  public ResultSet getTableTypes() throws SQLException {
    return results(inner -> inner.getTableTypes());
  }

  @Override
  public ResultSet getColumns(String a, String b, String c, String d) throws SQLException {
    return results(inner -> inner.getColumns(a, b, c, d));
  }

  @Override
  public ResultSet getColumnPrivileges(String a, String b, String c, String d) throws SQLException {
    return results(inner -> inner.getColumnPrivileges(a, b, c, d));
  }

  @Override
  public ResultSet getTablePrivileges(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getTablePrivileges(a, b, c));
  }

  @Override
  public ResultSet getBestRowIdentifier(String a, String b, String c, int d, boolean e)
      throws SQLException {
    return results(inner -> inner.getBestRowIdentifier(a, b, c, d, e));
  }

  @Override
  public ResultSet getVersionColumns(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getVersionColumns(a, b, c));
  }

  @Override
  public ResultSet getPrimaryKeys(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getPrimaryKeys(a, b, c));
  }

  @Override
  public ResultSet getImportedKeys(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getImportedKeys(a, b, c));
  }

  @Override
  public ResultSet getExportedKeys(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getExportedKeys(a, b, c));
  }

  @Override
  public ResultSet getCrossReference(String a, String b, String c, String d, String e, String f)
      throws SQLException {
    return results(inner -> inner.getCrossReference(a, b, c, d, e, f));
  }

  @Override
  public ResultSet getTypeInfo() throws SQLException {
    return results(inner -> inner.getTypeInfo());
  }

  @Override
  public ResultSet getIndexInfo(String a, String b, String c, boolean d, boolean e)
      throws SQLException {
    return results(inner -> inner.getIndexInfo(a, b, c, d, e));
  }

  @Override
  public boolean supportsResultSetType(int a) throws SQLException {
    return on(inner -> inner.supportsResultSetType(a));
  }

  @Override
  public boolean supportsResultSetConcurrency(int a, int b) throws SQLException {
    return on(inner -> inner.supportsResultSetConcurrency(a, b));
  }

  @Override
  public boolean ownUpdatesAreVisible(int a) throws SQLException {
    return on(inner -> inner.ownUpdatesAreVisible(a));
  }

  @Override
  public boolean ownDeletesAreVisible(int a) throws SQLException {
    return on(inner -> inner.ownDeletesAreVisible(a));
  }

  @Override
  public boolean ownInsertsAreVisible(int a) throws SQLException {
    return on(inner -> inner.ownInsertsAreVisible(a));
  }

  @Override
  public boolean othersUpdatesAreVisible(int a) throws SQLException {
    return on(inner -> inner.othersUpdatesAreVisible(a));
  }

  @Override
  public boolean othersDeletesAreVisible(int a) throws SQLException {
    return on(inner -> inner.othersDeletesAreVisible(a));
  }

  @Override
  public boolean othersInsertsAreVisible(int a) throws SQLException {
    return on(inner -> inner.othersInsertsAreVisible(a));
  }

  @Override
  public boolean updatesAreDetected(int a) throws SQLException {
    return on(inner -> inner.updatesAreDetected(a));
  }

  @Override
  public boolean deletesAreDetected(int a) throws SQLException {
    return on(inner -> inner.deletesAreDetected(a));
  }

  @Override
  public boolean insertsAreDetected(int a) throws SQLException {
    return on(inner -> inner.insertsAreDetected(a));
  }

  @Override
  public boolean supportsBatchUpdates() throws SQLException {
    return on(inner -> inner.supportsBatchUpdates());
  }

  @Override
  public ResultSet getUDTs(String a, String b, String c, int[] d) throws SQLException {
    return results(inner -> inner.getUDTs(a, b, c, d));
  }

  @Override
  public boolean supportsSavepoints() throws SQLException {
    return on(inner -> inner.supportsSavepoints());
  }

  @Override
  public boolean supportsNamedParameters() throws SQLException {
    return on(inner -> inner.supportsNamedParameters());
  }

  @Override
  public boolean supportsMultipleOpenResults() throws SQLException {
    return on(inner -> inner.supportsMultipleOpenResults());
  }

  @Override
  public boolean supportsGetGeneratedKeys() throws SQLException {
    return on(inner -> inner.supportsGetGeneratedKeys());
  }

  @Override
  public ResultSet getSuperTypes(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getSuperTypes(a, b, c));
  }

  @Override
  public ResultSet getSuperTables(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getSuperTables(a, b, c));
  }

  @Override
  public ResultSet getAttributes(String a, String b, String c, String d) throws SQLException {
    return results(inner -> inner.getAttributes(a, b, c, d));
  }

  @Override
  public boolean supportsResultSetHoldability(int a) throws SQLException {
    return on(inner -> inner.supportsResultSetHoldability(a));
  }

  @Override
  public int getResultSetHoldability() throws SQLException {
    return on(inner -> inner.getResultSetHoldability());
  }

  @Override
  public int getDatabaseMajorVersion() throws SQLException {
    return on(inner -> inner.getDatabaseMajorVersion());
  }

  @Override
  public int getDatabaseMinorVersion() throws SQLException {
    return on(inner -> inner.getDatabaseMinorVersion());
  }

  @Override
  public int getSQLStateType() throws SQLException {
    return on(inner -> inner.getSQLStateType());
  }

  @Override
  public boolean locatorsUpdateCopy() throws SQLException {
    return on(inner -> inner.locatorsUpdateCopy());
  }

  @Override
  public boolean supportsStatementPooling() throws SQLException {
    return on(inner -> inner.supportsStatementPooling());
  }

  @Override
  public RowIdLifetime getRowIdLifetime() throws SQLException {
    return on(inner -> inner.getRowIdLifetime());
  }

  @Override
  public ResultSet getSchemas(String a, String b) throws SQLException {
    return results(inner -> inner.getSchemas(a, b));
  }

  @Override
  public boolean supportsStoredFunctionsUsingCallSyntax() throws SQLException {
    return on(inner -> inner.supportsStoredFunctionsUsingCallSyntax());
  }

  @Override
  public boolean autoCommitFailureClosesAllResultSets() throws SQLException {
    return on(inner -> inner.autoCommitFailureClosesAllResultSets());
  }

  @Override
  public ResultSet getClientInfoProperties() throws SQLException {
    return results(inner -> inner.getClientInfoProperties());
  }

  @Override
  public ResultSet getFunctions(String a, String b, String c) throws SQLException {
    return results(inner -> inner.getFunctions(a, b, c));
  }

  @Override
  public ResultSet getFunctionColumns(String a, String b, String c, String d) throws SQLException {
    return results(inner -> inner.getFunctionColumns(a, b, c, d));
  }

  @Override
  public ResultSet getPseudoColumns(String a, String b, String c, String d) throws SQLException {
    return results(inner -> inner.getPseudoColumns(a, b, c, d));
  }

  @Override
  public boolean generatedKeyAlwaysReturned() throws SQLException {
    return on(inner -> inner.generatedKeyAlwaysReturned());
  }

  @Override
  public long getMaxLogicalLobSize() throws SQLException {
    return on(inner -> inner.getMaxLogicalLobSize());
  }

  @Override
  public boolean supportsRefCursors() throws SQLException {
    return on(inner -> inner.supportsRefCursors());
  }

  @Override
  public boolean supportsSharding() throws SQLException {
    return on(inner -> inner.supportsSharding());
  }
}
