// What can be found. The raw values are read by programs: they never change.

/// The kind of a finding.
public enum FindingCode: String, Sendable, CaseIterable, Hashable {
    // MARK: The file

    /// The text is no JSON.
    case invalidJSON = "invalid_json"
    /// The file is larger than Apple's systems, or Android, read.
    case tooLarge = "too_large"
    /// The file is close to the size that Apple's systems read.
    case nearSizeLimit = "near_size_limit"
    /// The file is signed, which only iOS 8 asked for.
    case signedFile = "signed_file"
    /// An object has a name twice; readers disagree about which counts.
    case duplicateKey = "duplicate_key"
    /// The outermost value is no object.
    case rootNotObject = "root_not_object"
    /// The file ties nothing to any app.
    case noServices = "no_services"
    /// A value has a type that makes it count as absent, or worse.
    case wrongType = "wrong_type"
    /// A key means nothing to those who read the file.
    case unknownKey = "unknown_key"
    /// A key nearly has the name of one that means something.
    case misspeltKey = "misspelt_key"

    // MARK: Apps

    /// An entry names no app.
    case missingAppID = "missing_app_id"
    /// An app ID isn't ten characters, a dot and a bundle ID.
    case malformedAppID = "malformed_app_id"
    /// An app ID is one that documentation or a template uses.
    case placeholderAppID = "placeholder_app_id"
    /// An app is in several entries, and only the first counts.
    case duplicateApp = "duplicate_app"
    /// `appIDs` makes `appID` count for nothing.
    case ignoredAppID = "ignored_app_id"
    /// The ID of an App Clip doesn't end as they do.
    case appClipID = "app_clip_id"
    /// `applinks.apps` names apps, which is only read where there are no details.
    case appsNotEmpty = "apps_not_empty"

    // MARK: Entries

    /// There is no entry.
    case noDetails = "no_details"
    /// `details` is a dictionary, whose order isn't defined.
    case dictionaryDetails = "dictionary_details"
    /// An entry without rules opens every URL.
    case noPatterns = "no_patterns"
    /// An entry with an empty list of rules opens nothing.
    case emptyRules = "empty_rules"
    /// An entry has both `components` and `paths`, of which only the former counts today.
    case mixedFormats = "mixed_formats"
    /// An entry only has `paths`, the form of iOS 9.
    case legacyPaths = "legacy_paths"
    /// Everything on the domain opens the app.
    case onlyCatchAll = "only_catch_all"
    /// No rule of an entry opens the app.
    case onlyExcludes = "only_excludes"

    // MARK: Order

    /// A rule behind one that fits every URL is never asked.
    case deadRule = "dead_rule"
    /// A rule fits only URLs that an earlier one has decided.
    case shadowedRule = "shadowed_rule"
    /// A rule excludes only URLs that an earlier one has let open the app.
    case deadExclude = "dead_exclude"
    /// A rule says what an earlier one says.
    case duplicateRule = "duplicate_rule"
    /// A rule says nothing that the next one doesn't say too.
    case redundantRule = "redundant_rule"
    /// Exclusions behind which nothing follows change nothing.
    case lastExclude = "last_exclude"

    // MARK: Patterns

    /// `"*"` for an item of the query asks for nothing, not even that the item is there.
    case queryWildcard = "query_wildcard"
    /// A query in one text depends on the order of its items.
    case orderedQuery = "ordered_query"
    /// A `#` in a path fits no URL.
    case fragmentInPath = "fragment_in_path"
    /// A query in a path fits no URL.
    case queryInPath = "query_in_path"
    /// A path begins with a scheme or a host.
    case hostInPath = "host_in_path"
    /// A pattern looks like a regular expression.
    case regularExpression = "regular_expression"
    /// A pattern has a parameter as routers of web servers have them.
    case routeParameter = "route_parameter"
    /// `NOT` means something in `paths` only.
    case notInComponents = "not_in_components"
    /// `NOT` isn't followed by one space.
    case notWithoutSpace = "not_without_space"
    /// A flag is no boolean.
    case nonBooleanFlag = "non_boolean_flag"
    /// Characters that a URL only holds in percent-encoded form.
    case unencodedPattern = "unencoded_pattern"
    /// A percent-encoded pattern where URLs are decoded before they are compared.
    case encodedPattern = "encoded_pattern"
    /// Percent-encoding in lower case, where the URL's case counts.
    case lowercaseEncoding = "lowercase_encoding"
    /// A path of one character is never a URL's.
    case oneCharacterPath = "one_character_path"
    /// A path without a slash in front.
    case noLeadingSlash = "no_leading_slash"
    /// A path that is only the root.
    case rootOnly = "root_only"
    /// A backslash escapes nothing.
    case backslash
    /// A variable that neither the file nor Apple's systems know.
    case unknownVariable = "unknown_variable"
    /// A variable without its closing bracket.
    case unterminatedVariable = "unterminated_variable"
    /// A variable in the value of a variable.
    case nestedVariable = "nested_variable"
    /// A variable that hides one of Apple's.
    case hiddenVariable = "hidden_variable"
    /// A variable that no pattern uses.
    case unusedVariable = "unused_variable"
    /// `$(region)` doesn't know `UK`.
    case regionWithoutUK = "region_without_uk"
    /// So many wildcards that comparing takes long, or is given up.
    case manyWildcards = "many_wildcards"
    /// A key that older systems don't know.
    case newerSystem = "newer_system"

    // MARK: Hosting

    /// The file is not served with status 200.
    case badStatus = "bad_status"
    /// The file is not served itself, but the way to another place.
    case redirect
    /// The file is served without TLS.
    case insecureURL = "insecure_url"
    /// The file is served as something else than `application/json`.
    case contentType = "content_type"
    /// The server takes longer than Apple's waits.
    case slowAnswer = "slow_answer"
    /// The file is only where devices and Apple's servers no longer look.
    case onlyAtRoot = "only_at_root"

    // MARK: Asset links

    /// The outermost value is not an array.
    case rootNotArray = "root_not_array"
    /// The array is empty.
    case noStatements = "no_statements"
    /// A member of the array is not an object.
    case statementNotObject = "statement_not_object"
    /// A statement says what an earlier one says.
    case duplicateStatement = "duplicate_statement"

    // MARK: Asset links: relations

    /// A statement has no `relation`.
    case relationMissing = "relation_missing"
    /// `relation` is not an array.
    case relationNotArray = "relation_not_array"
    /// `relation` is an empty array.
    case relationEmpty = "relation_empty"
    /// A relation is not a string of the form `kind/detail`.
    case relationInvalid = "relation_invalid"
    /// A relation is none of the usual ones.
    case relationUnknown = "relation_unknown"
    /// No statement lets an app that is named open the site's links.
    case linkRelationMissing = "link_relation_missing"

    // MARK: Asset links: targets

    /// A statement has no `target`.
    case targetMissing = "target_missing"
    /// `target` is not an object.
    case targetNotObject = "target_not_object"
    /// A target has no `namespace`.
    case namespaceMissing = "namespace_missing"
    /// A target's `namespace` is neither `web` nor `android_app`.
    case namespaceUnknown = "namespace_unknown"
    /// A web target has no `site`.
    case siteMissing = "site_missing"
    /// A site is not a string, or its host or its port is not valid.
    case siteInvalid = "site_invalid"
    /// A site has no scheme, or one that is neither `https` nor `http`.
    case siteSchemeInvalid = "site_scheme_invalid"
    /// A site has a user name.
    case siteHasUser = "site_has_user"
    /// A site has a path, be it only `/`.
    case siteHasPath = "site_has_path"
    /// A site has a query.
    case siteHasQuery = "site_has_query"
    /// A site has a fragment.
    case siteHasFragment = "site_has_fragment"
    /// An app target has no `package_name`.
    case packageMissing = "package_missing"
    /// A package name is not one that Android accepts.
    case packageInvalid = "package_invalid"

    // MARK: Asset links: fingerprints

    /// An app target has no `sha256_cert_fingerprints`.
    case fingerprintsMissing = "fingerprints_missing"
    /// `sha256_cert_fingerprints` is not an array.
    case fingerprintsNotArray = "fingerprints_not_array"
    /// `sha256_cert_fingerprints` is an empty array.
    case fingerprintsEmpty = "fingerprints_empty"
    /// A fingerprint is not 32 pairs of hexadecimal digits, for a reason without a code of its own.
    case fingerprintInvalid = "fingerprint_invalid"
    /// A fingerprint was left to be filled in, or is the one of Google's documentation.
    case fingerprintPlaceholder = "fingerprint_placeholder"
    /// A fingerprint is as long as one of SHA-1.
    case fingerprintSHA1 = "fingerprint_sha1"
    /// A fingerprint is as long as one of MD5.
    case fingerprintMD5 = "fingerprint_md5"
    /// A fingerprint has lower-case digits.
    case fingerprintLowerCase = "fingerprint_lower_case"
    /// A fingerprint's pairs are not separated.
    case fingerprintWithoutColons = "fingerprint_without_colons"
    /// A fingerprint is all zeros.
    case fingerprintAllZero = "fingerprint_all_zero"
    /// A fingerprint is that of a key which everybody has.
    case fingerprintPublicKey = "fingerprint_public_key"
    /// A fingerprint is listed twice.
    case fingerprintDuplicate = "fingerprint_duplicate"

    // MARK: Asset links: includes

    /// `include` is not the address of a file.
    case includeInvalid = "include_invalid"
    /// `include` stands beside `relation` or `target`.
    case includeWithStatement = "include_with_statement"
    /// A site with https includes a file without it.
    case includeInsecure = "include_insecure"

    // MARK: Asset links: dynamic rules

    /// `relation_extensions`, or what it holds for a relation, is not an object.
    case extensionNotObject = "extension_not_object"
    /// An extension stands where Android does not look for it.
    case extensionIgnored = "extension_ignored"
    /// `dynamic_app_link_components` is not an array.
    case dynamicRulesNotArray = "dynamic_rules_not_array"
    /// `dynamic_app_link_components` is an empty array.
    case dynamicRulesEmpty = "dynamic_rules_empty"
    /// Every dynamic rule excludes, so that no link opens the app.
    case dynamicRulesClaimNothing = "dynamic_rules_claim_nothing"
    /// A dynamic rule is not an object.
    case dynamicRuleNotObject = "dynamic_rule_not_object"
    /// A dynamic rule has no part to compare.
    case dynamicRuleEmpty = "dynamic_rule_empty"
    /// An earlier dynamic rule decides every link that this one could.
    case dynamicRuleUnreachable = "dynamic_rule_unreachable"
    /// A part of a dynamic rule has the wrong type.
    case dynamicPartInvalid = "dynamic_part_invalid"
    /// A pattern of a dynamic rule is empty.
    case dynamicPatternEmpty = "dynamic_pattern_empty"
    /// A pattern of a dynamic rule is percent-encoded, unlike what it is compared with.
    case dynamicPatternEncoded = "dynamic_pattern_encoded"
    /// A pattern of a dynamic rule has a `*` before its end.
    case dynamicWildcardInside = "dynamic_wildcard_inside"
    /// A path pattern of a dynamic rule begins unlike any path.
    case dynamicPathUnrooted = "dynamic_path_unrooted"
    /// A path pattern of a dynamic rule has a query in it.
    case dynamicPathHasQuery = "dynamic_path_has_query"
    /// A path pattern of a dynamic rule has a fragment in it.
    case dynamicPathHasFragment = "dynamic_path_has_fragment"
}
