ALTER TABLE `instruments` ADD `attributes` text DEFAULT '[]' NOT NULL
  CONSTRAINT "instruments_attributes" CHECK(json_type("attributes") = 'array' AND json_array_length("attributes") <= 20);
--> statement-breakpoint
-- As before, and layer 3: the specification, of those that have one. No instrument has one yet.
DROP TRIGGER `instruments_with_new_words`;
--> statement-breakpoint
CREATE TRIGGER `instruments_with_new_words` AFTER UPDATE OF `search_id`, `name`, `family`, `brand`, `attributes`, `description`, `removed_at` ON `instruments`
WHEN NEW.`search_id` IS NOT NULL
BEGIN
  DELETE FROM `instrument_words`
    WHERE `rowid` IN (
      NEW.`search_id`, 1000000000 + NEW.`search_id`, 2000000000 + NEW.`search_id`, 3000000000 + NEW.`search_id`, 4000000000 + NEW.`search_id`
    );
  INSERT INTO `instrument_words` (`rowid`, `text`)
    SELECT NEW.`search_id`, NEW.`name` WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 1000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`) WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 2000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`, NEW.`brand`) WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 3000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`, NEW.`brand`, NEW.`attributes`)
      WHERE NEW.`removed_at` IS NULL AND NEW.`attributes` <> '[]'
    UNION ALL SELECT 4000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`, NEW.`brand`, NEW.`attributes`, NEW.`description`)
      WHERE NEW.`removed_at` IS NULL;
END;
