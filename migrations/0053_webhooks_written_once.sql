-- SQLite reads the bodies of all triggers on each connection: what six had in common stands once. Nothing else changes.
DROP TRIGGER `audit_log_enqueues_webhooks`;
--> statement-breakpoint
DROP TRIGGER `audit_log_enqueues_webhooks_of_new_products`;
--> statement-breakpoint
DROP TRIGGER `instruments_change_enqueues_webhooks`;
--> statement-breakpoint
DROP TRIGGER `instruments_counted_enqueues_webhooks`;
--> statement-breakpoint
DROP TRIGGER `instruments_low_stock_enqueues_webhooks`;
--> statement-breakpoint
DROP TRIGGER `reviews_enqueue_webhooks`;
--> statement-breakpoint
CREATE VIEW `webhook_products` AS SELECT `id`, json_object('_id', `id`, 'name', `name`, 'price', `price_cents` / 100.0, 'minQuantity', `min_quantity`,
  'availableQuantity', `available_quantity`,
  'status', CASE WHEN `removed_at` IS NULL THEN 'on sale' WHEN `hidden` = 1 THEN 'hidden' ELSE 'deleted' END) AS `data` FROM `instruments`;
--> statement-breakpoint
CREATE VIEW `webhook_outbox` AS SELECT '' AS `type`, '' AS `source`, '' AS `subject`, 0 AS `at`, '' AS `data`;
--> statement-breakpoint
CREATE TRIGGER `webhook_outbox_goes_to_endpoints` INSTEAD OF INSERT ON `webhook_outbox`
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT replace(NEW.`type`, '.', '_') || '_' || NEW.`source`, `id`, NEW.`type`, NEW.`subject`,
      json_object('type', NEW.`type`, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json(NEW.`data`)),
      NEW.`at`
    FROM `webhook_endpoints` WHERE `state` = 'on' AND instr(`events`, ' ' || NEW.`type` || ' ');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_enqueues_webhooks` AFTER INSERT ON `audit_log`
WHEN NEW.`event` IN ('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_outbox`
    SELECT CASE NEW.`event` WHEN 'refund made' THEN 'order.refunded' ELSE replace(NEW.`event`, ' ', '.') END, NEW.`id`, 'order:' || `id`, NEW.`at`,
      json_patch(
        json_object('_id', `id`, 'instrumentId', `instrument_id`, 'productName', `product_name`,
          'orderQuantity', `quantity`, 'orderPrice', `total_cents` / 100.0, 'status', `state`,
          'paid', json(iif(`transaction_id` IS NULL, 'false', 'true')), 'transactionId', `transaction_id`),
        CASE NEW.`event`
          -- A patch leaves out what is null.
          WHEN 'order shipped' THEN json_object('carrier', `carrier`, 'trackingNumber', `tracking_number`, 'trackingUrl', `tracking_url`)
          WHEN 'refund made' THEN json_object(
            'refundId', NEW.`about_id`,
            'refund', coalesce(
              (SELECT `amount_cents` FROM `order_refunds` WHERE `id` = NEW.`about_id`),
              (SELECT `amount_cents` FROM `refunds` WHERE `refunds`.`transaction_id` = NEW.`about_id`)) / 100.0,
            -- The column of the order may be written after this row.
            'refunded', (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds`
              WHERE `order_id` = NEW.`order_id` AND `failed_at` IS NULL) / 100.0)
          ELSE '{}'
        END)
    FROM `orders` WHERE `id` = NEW.`order_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_enqueues_webhooks_of_new_products` AFTER INSERT ON `audit_log`
WHEN NEW.`event` = 'stock counted' AND NEW.`stock_delta` = 0 AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_outbox`
    SELECT 'product.changed', NEW.`id`, 'product:' || `id`, NEW.`at`, `data` FROM `webhook_products` WHERE NEW.`instrument_id` = `id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_change_enqueues_webhooks` AFTER UPDATE OF `name`, `family_slug`, `brand`, `img`, `alt`, `pictures`, `description`, `attributes`,
  `price_cents`, `price_breaks`, `min_quantity`, `removed_at`, `hidden` ON `instruments`
WHEN (NEW.`name`, NEW.`family_slug`, NEW.`brand`, NEW.`img`, NEW.`alt`, NEW.`pictures`, NEW.`description`, NEW.`attributes`,
    NEW.`price_cents`, NEW.`price_breaks`, NEW.`min_quantity`, NEW.`removed_at`, NEW.`hidden`)
  IS NOT (OLD.`name`, OLD.`family_slug`, OLD.`brand`, OLD.`img`, OLD.`alt`, OLD.`pictures`, OLD.`description`, OLD.`attributes`,
    OLD.`price_cents`, OLD.`price_breaks`, OLD.`min_quantity`, OLD.`removed_at`, OLD.`hidden`)
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_outbox`
    SELECT 'product.changed', lower(hex(randomblob(16))), 'product:' || `id`, CAST(unixepoch('subsec') * 1000 AS INTEGER), `data`
    FROM `webhook_products` WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_stock_enqueues_webhooks` AFTER UPDATE OF `available_quantity` ON `instruments`
WHEN EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_outbox`
    SELECT 'product.changed', lower(hex(randomblob(16))), 'product:' || `id`, CAST(unixepoch('subsec') * 1000 AS INTEGER), `data`
    FROM `webhook_products` WHERE `id` = NEW.`id` AND (SELECT `event` FROM `audit_log` ORDER BY `id` DESC LIMIT 1) = 'stock counted'
    UNION ALL
    SELECT 'stock.low', lower(hex(randomblob(16))), 'product:' || `id`, CAST(unixepoch('subsec') * 1000 AS INTEGER),
      json_set(`data`, '$.lowStock', NEW.`low_stock_threshold`)
    FROM `webhook_products` WHERE `id` = NEW.`id`
      AND OLD.`available_quantity` > NEW.`low_stock_threshold` AND NEW.`available_quantity` <= NEW.`low_stock_threshold`;
END;
--> statement-breakpoint
CREATE TRIGGER `reviews_enqueue_webhooks` AFTER INSERT ON `reviews`
WHEN EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_outbox`
    VALUES ('review.written', NEW.`id`, 'review:' || NEW.`id`, NEW.`created_at`,
      json_object('_id', NEW.`id`, 'description', NEW.`description`, 'instrumentId', NEW.`instrument_id`, 'rating', NEW.`rating`));
END;
